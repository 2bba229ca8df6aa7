#!/usr/bin/env bash
# Installs Debian's jj for the tests of jj workspaces, if no jj 0.46 or later is present and this user may install packages.
# Otherwise it prints what to do and succeeds, and the tests are skipped. With --required, or if CI is set, it fails instead.
set -euo pipefail

MINIMUM=0.46
# Releases before forky have no jj. The programs bring their own libraries, so that an older system stays as it is.
RELEASE=forky
FOLDER=/opt/legion-jj
LINK=/usr/local/bin/jj

has_jj() {
  local version
  version=$(jj --version 2>/dev/null | sed -nE 's/^jj ([0-9]+\.[0-9]+).*/\1/p')
  [ -n "$version" ] && [ "$(printf '%s\n' "$MINIMUM" "$version" | sort -V | head -n 1)" = "$MINIMUM" ]
}

# apt with its own sources, index and cache: the system's package lists and installed packages are never changed.
private_apt() {
  local command=$1
  shift
  "$command" -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$work/parts" -o Dir::State::lists="$work/lists" \
    -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" -o Acquire::Languages=none -o APT::Sandbox::User=root "$@"
}

unpack_packages() {
  mkdir -p "$work"/{parts,lists/partial,cache/archives/partial,debs,root}
  : >"$work/status"
  # The key of the archive is in the system's own keyring.
  printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n' \
    "$(find_mirror)" "$RELEASE" >"$work/parts/$RELEASE.sources"
  private_apt apt-get update -qq >&2 || return 1
  local packages
  packages=$(private_apt apt-get install -s -y --no-install-recommends jujutsu | awk '/^Inst/ { print $2 }' |
    grep -vE '^(perl|libperl|liberror-perl|git|git-man|gcc-.*-base|libc-gconv|openssl-provider|libdb5|libgdbm|libbz2)') || return 1
  # shellcheck disable=SC2086 -- one argument per package
  (cd "$work/debs" && private_apt apt-get download -qq $packages >&2) || return 1
  for package in "$work"/debs/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$work/root" --exclude='./usr/share/doc' --exclude='./usr/share/man' \
      --exclude='./usr/share/locale' || return 1
  done
}

# Uses the mirror that this machine already uses.
find_mirror() {
  local mirror
  mirror=$(grep -rhoE 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null |
    grep -v snapshot | head -n 1) || true
  echo "${mirror:-http://deb.debian.org/debian}"
}

# The loader and libraries of the newer release are linked by path; a wrapper around the loader would not reach child processes.
install_jj() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  command -v patchelf >/dev/null || {
    apt-get update -qq >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends patchelf >/dev/null
  }
  # `set -e` has no effect in a condition, so every step that can fail is checked.
  unpack_packages || return 1
  rm -rf "$FOLDER.new"
  mv "$work/root" "$FOLDER.new"
  local libraries loader
  loader=$(find "$FOLDER.new/usr/lib" -name 'ld-linux*.so*' | head -n 1)
  loader=${loader/#"$FOLDER.new"/$FOLDER}
  libraries=$(dirname "$loader")
  patchelf --set-interpreter "$loader" --force-rpath --set-rpath "$libraries" "$FOLDER.new/usr/bin/jj" || return 1
  rm -rf "$FOLDER"
  mv "$FOLDER.new" "$FOLDER"
  ln -sf "$FOLDER/usr/bin/jj" "$LINK"
}

if has_jj; then exit 0; fi

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "No jj $MINIMUM or later is on the PATH. Installing Debian's into $FOLDER." >&2
  if install_jj && has_jj; then exit 0; fi
fi

cat >&2 <<HELP
No jj $MINIMUM or later is on the PATH, and it could not be installed automatically.
Tests of jj workspaces are skipped without it. Install it as described at:
  https://docs.jj-vcs.dev/latest/install-and-setup/
HELP
[ "${1:-}" != --required ] && [ -z "${CI:-}" ]
