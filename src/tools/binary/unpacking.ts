/** The parts of a file that unpacks itself. */
export interface Unpacking {
  readonly version: string
  /** Names the folder that it is unpacked to; another content has another name. */
  readonly hash: string
  /** What Deno is told before the program. */
  readonly options: ReadonlyArray<string>
}

/**
 * The head of a file that unpacks itself: a shell script, behind which a compressed tar with Deno and the program
 * stands. It is unpacked once, to the cache of the user or, where there is none, to a folder of the user's own beside
 * those of others: that one is only used where nobody else has made it.
 */
export const unpackingHead = ({ hash, options, version }: Unpacking): string => {
  const lines = (here: number) =>
    `#!/bin/sh
# Swap Broker ${version}, with a Deno of its own behind these lines.
set -eu
fail() { echo "$1" >&2; exit 1; }
PATH=/usr/bin:/bin
base=\${XDG_CACHE_HOME:-\${HOME:+$HOME/.cache}}
base=\${base:-/var/tmp}/swap-broker-$(id -u)
place=$base/${hash}
(umask 077 && mkdir -p "$base") || fail "Cannot unpack to $base: set XDG_CACHE_HOME to a folder that can be written"
[ -O "$base" ] || fail "Not unpacking to $base, which belongs to another user: set XDG_CACHE_HOME"
if [ ! -d "$place" ]; then
  fresh=$(umask 077 && mktemp -d "$base/unpacking.XXXXXX")
  trap 'rm -rf "$fresh"' EXIT
  (umask 077 && tail -n +${here} "$0" | tar -xzf - -C "$fresh") || fail "Cannot unpack to $base: is its disk full?"
  [ -x "$fresh/deno" ] || fail "The file is not whole: $0"
  mv -T "$fresh" "$place" 2>/dev/null || [ -d "$place" ] || fail "Cannot unpack to $place"
  rm -rf "$fresh"
fi
export DENO_DIR="$place/cache" DENO_NO_UPDATE_CHECK=1
exec "$place/deno" run ${options.join(" ")} --config "$place/deno.json" "$place/src/tools/binary/main.ts" "$@"
`
  return lines(lines(0).split("\n").length)
}
