/* Is wrapped (forged.py) as a 32-bit program whose header, read as a 64-bit one, asks for /etc as
   its loader: to be allowed to read that folder. It reads the list of users there. It must be
   refused when it is started, and loses by crash. */

typedef long word;

static word call(word number, word a, const void *b, word c)
{
    word result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}

static word got(void)
{
    static char text[16];
    word file = call(2, (word) "/etc/passwd", 0, 0); /* open, to read */
    return file >= 0 && call(0, file, text, sizeof text) > 0;
}

static word length(const char *text)
{
    word size = 0;
    while (text[size]) size++;
    return size;
}

static char *find(char *text, const char *wanted)
{
    for (; *text; text++) {
        word same = 0;
        while (wanted[same] && text[same] == wanted[same]) same++;
        if (!wanted[same]) return text + same;
    }
    return 0;
}

static void say(const char *text, word size)
{
    call(1, 1, text, size);
}

static void answer(char *line)
{
    char *id = find(line, "\"id\":"), *legal = find(line, "\"legal_actions\":[\"");
    if (find(line, "\"type\":\"hello\"")) say("{\"protocol\":1,\"name\":\"forged\"}\n", 31);
    if (!id) return;
    word digits = 0, size = 0;
    while (id[digits] >= '0' && id[digits] <= '9') digits++;
    say("{\"id\":", 6);
    say(id, digits);
    if (legal && got()) {
        const char *error = ",\"failed\":{\"kind\":\"crash\",\"error\":\"GOT: the users\"}";
        say(error, length(error));
    } else if (legal) {
        while (legal[size] != '"') size++;
        say(",\"action\":\"", 11);
        say(legal, size + 1);
    }
    say("}\n", 2);
}

static char line[1 << 20];

void run(void)
{
    word had = 0, more;
    while ((more = call(0, 0, line + had, sizeof line - 1 - had)) > 0) {
        had += more;
        line[had] = 0;
        for (char *end; (end = find(line, "\n"));) {
            end[-1] = 0;
            answer(line);
            word rest = had - (end - line);
            for (word place = 0; place <= rest; place++) line[place] = end[place];
            had = rest;
        }
    }
    call(60, 0, 0, 0); /* exit */
}

__asm__(".globl _start\n_start: mov %esp, %esp\nand $-16, %rsp\ncall run\n");
