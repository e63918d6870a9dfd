use strict;
use warnings;
use JSON::PP;

$| = 1;
open(my $file, "<", "limit.txt") or die;
my $limit = int(<$file>);

while (my $line = <STDIN>) {
    my $message = decode_json($line);
    my ($type, $id) = ($message->{type}, $message->{id});
    if ($type eq "hello") { print encode_json({ protocol => 1, games => ["pazaak"] }), "\n" }
    elsif ($type eq "start") { print encode_json({ id => $id }), "\n" }
    elsif ($type eq "decide") {
        my $action = $message->{observation}{total} >= $limit ? "stand" : "end turn";
        print encode_json({ id => $id, action => $action }), "\n";
    }
}
