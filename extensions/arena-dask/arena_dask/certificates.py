"""Certificates of a cluster of one's own: a certificate authority (CA), and one key pair.

Dask knows no roles: whoever has a certificate of the CA may be scheduler, worker or client. So one
key pair serves all machines.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import NameOID

from arena.core.errors import BadInput

CA, CA_KEY = "ca.pem", "ca.key"
CERTIFICATE, KEY = "cluster.pem", "cluster.key"
FILES = (CA, CERTIFICATE, KEY)
"""The files that every machine of the cluster needs; the CA's key is none of them."""
CLOCKS = timedelta(days=1)
"""The certificates are valid from so long ago: the machines' clocks may differ."""


def write_certificates(folder: Path, days: int) -> bool:
    """Writes a key pair signed by the CA of the folder, which is made where there is none.

    Args:
        folder: Where to write; made for its owner alone if it does not exist.
        days: Days for which the certificates are valid.

    Returns:
        Whether the CA was made, too.

    Raises:
        BadInput: The folder cannot be written, or has another thing than a CA.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if made := not (folder / CA_KEY).exists() and not (folder / CA).exists():
            key = generate_private_key(SECP256R1())
            _write_pair(folder, CA, _signed("Arena cluster CA", key, key, None, days), key)
        ca = x509.load_pem_x509_certificate((folder / CA).read_bytes())
        signer = load_pem_private_key((folder / CA_KEY).read_bytes(), None)
        if not isinstance(signer, EllipticCurvePrivateKey):
            raise ValueError
        own = generate_private_key(SECP256R1())
        signed = _signed("Arena cluster", own, signer, ca, days)
        _write_pair(folder, CERTIFICATE, signed, own)
    except OSError as error:
        raise BadInput(f"{error.filename}: {error.strerror}") from None
    except ValueError:
        raise BadInput(f"{folder}: {CA} and {CA_KEY} are no CA of this command") from None
    return made


def _signed(
    name: str,
    key: EllipticCurvePrivateKey,
    signer: EllipticCurvePrivateKey,
    ca: x509.Certificate | None,
    days: int,
) -> x509.Certificate:
    """Returns a certificate of a key; without a CA that of a CA itself."""
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now, issuing = datetime.now(UTC), ca is None
    end = now + timedelta(days=days)
    usage = x509.KeyUsage(
        digital_signature=not issuing,
        key_cert_sign=issuing,
        crl_sign=issuing,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(ca.subject if ca else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCKS)
        .not_valid_after(min(end, ca.not_valid_after_utc) if ca else end)
        .add_extension(x509.BasicConstraints(issuing, 0 if issuing else None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
        )
    )
    return builder.sign(signer, SHA256())


def _write_pair(
    folder: Path, name: str, signed: x509.Certificate, key: EllipticCurvePrivateKey
) -> None:
    """Writes a key, readable by its owner alone, and its certificate beside it."""
    text = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path = (folder / name).with_suffix(".key")
    path.unlink(missing_ok=True)  # one that is there may be readable by others
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(text)
    (folder / name).write_bytes(signed.public_bytes(Encoding.PEM))
