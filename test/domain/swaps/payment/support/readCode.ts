import decodeQR from "qr/decode.js"

const pixels = 4

/** The text of a QR code that is drawn as an SVG: paints its dark runs, and reads them off the picture. */
export const readCode = (svg: string): string => {
  const size = Number(/viewBox="0 0 ([0-9]+) /.exec(svg)?.[1])
  const side = size * pixels
  const data = new Uint8Array(side * side * 4).fill(255)
  const path = [.../ d="([^"]+)"/g[Symbol.matchAll](svg)].at(-1)?.[1] ?? ""
  for (const [, left, top, length] of path.matchAll(/M([0-9]+) ([0-9]+)h([0-9]+)v1h-[0-9]+z/g)) {
    for (let y = Number(top) * pixels; y < (Number(top) + 1) * pixels; y++) {
      const from = y * side + Number(left) * pixels
      for (let at = from; at < from + Number(length) * pixels; at++) data.fill(0, at * 4, at * 4 + 3)
    }
  }
  return decodeQR({ width: side, height: side, data })
}
