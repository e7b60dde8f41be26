import encodeQR from "qr"

/** A QR code as the path of an SVG, whose unit is a module; `size` has the quiet zone around it. */
export interface QrCode {
  readonly size: number
  readonly path: string
}

/** Modules that stay empty on each side (ISO/IEC 18004). */
const quietZone = 4

/** The runs of dark modules of a row, each as a subpath. */
const rowPath = (row: ReadonlyArray<boolean>, y: number): string => {
  const runs = row.map((isDark) => isDark ? "#" : " ").join("").matchAll(/#+/g)
  return [...runs].map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`).join("")
}

/** The QR code of a text. Its error correction stands 15 % of damage. */
export const qrCode = (text: string): QrCode => {
  const rows = encodeQR(text, "raw", { border: quietZone, ecc: "medium" })
  return { size: rows.length, path: rows.map(rowPath).join("") }
}

/** The code as an SVG image, dark on white in every theme, as readers want it. */
export const qrSvg = (text: string): string => {
  const { path, size } = qrCode(text)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path d="${path}"/></svg>`
}
