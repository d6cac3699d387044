"""``course certificates``: what the machines of a cluster know each other by."""

from __future__ import annotations

import argparse
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rich.console import Console

from ..errors import CourseError
from ..files import write_whole
from ..paths import find_course
from . import cluster

MOST_DAYS = 36_500  # a hundred years; a certificate's last year is 9999


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER", help="default: classroom/certificates")
    parser.add_argument("--days", type=int, default=180, help="for which they hold (default: %(default)s)")
    parser.add_argument("--force", action="store_true", help="replace those that are there")


def command(args: argparse.Namespace) -> int:
    cluster.needs_dask()
    folder = args.folder or find_course().classroom / "certificates"
    if args.days < 1:
        raise CourseError(f"--days {args.days} would have run out already. Give 1 or more.")
    if args.days > MOST_DAYS:
        raise CourseError(f"--days {args.days} is more than a certificate can hold. Give {MOST_DAYS} or less.")
    if (folder / cluster.CERTIFICATE).exists() and not args.force:
        raise CourseError(f"{folder} has certificates already. --force replaces them; then copy them anew.")
    if args.folder is None:
        find_course().make_classroom()
    make(folder, args.days)
    Console().print(
        f"Made {folder}. Copy this folder to every machine of the cluster, and to no other: whoever has it may run "
        f"programs on all of them. It holds for {args.days} days.",
        highlight=False, soft_wrap=True, markup=False,
    )  # fmt: skip
    return 0


def make(folder: Path, days: int) -> None:
    """An authority of the cluster's own, and the one certificate that it has signed, which all its machines use.

    The authority's key is not kept, so that nothing more can be signed.
    """
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    def name(text: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

    def certificate(subject: str, public: ec.EllipticCurvePublicKey, signer: ec.EllipticCurvePrivateKey) -> bytes:
        now = datetime.now(UTC)
        made = x509.CertificateBuilder(name("course authority"), name(subject), public, x509.random_serial_number())
        made = made.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=days))
        is_authority = subject == "course authority"
        made = made.add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        made = made.add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        above = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key())
        made = made.add_extension(above, critical=False)
        if is_authority:
            use = {"key_cert_sign": True, "crl_sign": True, "digital_signature": True}
            rest = ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "encipher_only")
            flags = dict.fromkeys((*rest, "decipher_only"), False)
            made = made.add_extension(x509.KeyUsage(**use, **flags), critical=True)
        return made.sign(signer, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    authority, mine = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    key = mine.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    before = os.umask(0o077)
    try:
        write_whole(folder / cluster.KEY, key)
        write_whole(folder / cluster.AUTHORITY, certificate("course authority", authority.public_key(), authority))
        write_whole(folder / cluster.CERTIFICATE, certificate("course cluster", mine.public_key(), authority))
    finally:
        os.umask(before)
