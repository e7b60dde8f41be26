/** The disc's colour and the mark's path in a box of 16, by ticker: our own drawings, plain enough for 16 pixels. */
const marks: Readonly<Record<string, readonly [colour: string, path: string]>> = {
  BTC: ["#d97706", "M6 4.5v7m0-7h2.4a1.7 1.7 0 0 1 0 3.5H6h2.8a1.7 1.7 0 0 1 0 3.5H6M7.5 3v1.5m0 7V13"],
  ETH: ["#5b6fe0", "M8 2.8l3.4 5.4L8 10.2 4.6 8.2zM5 10.2l3 3 3-3"],
  FLIP: ["#0f766e", "M4.5 7 8 3.8 11.5 7M4.5 9 8 12.2 11.5 9"],
  USDC: [
    "#2563c9",
    "M10 6.2C9.7 5.3 9 5 8 5 6.9 5 6 5.5 6 6.5 6 8.6 10 7.4 10 9.5c0 1-.9 1.5-2 1.5-1.1 0-1.8-.4-2-1.3M8 3.6V5m0 6v1.4",
  ],
  USDT: ["#128a63", "M4.6 4.8h6.8M8 4.8v7.2M5 7.6c2 .8 4 .8 6 0"],
  WBTC: ["#57534e", "M3.8 5.4l1.9 5.4L8 6.2l2.3 4.6 1.9-5.4"],
  CBBTC: ["#0369a1", "M10.6 5.7a3.5 3.5 0 1 0 0 4.6M8 8h.01"],
  SOL: ["#8b3ff0", "M5.2 5.2h6.3M4.8 8h6.3M4.5 10.8h6.3"],
  DOT: ["#d0187b", "M8 4v.01m0 7.99v.01M4.5 6v.01m7-.01v.01m-7 3.99v.01m7-.01v.01"],
  TRX: ["#c81e1e", "M4 4.8l8 1.7-4.5 5.7zM4 4.8l3.8 3"],
  BNB: ["#a87b00", "M6 5.5l2-2 2 2m-4 5l2 2 2-2M3.8 8h.01m8.38 0h.01M8 6.5 9.5 8 8 9.5 6.5 8z"],
  POL: ["#6d28d9", "M8 3.8l3.6 2.1v4.2L8 12.2l-3.6-2.1V5.9z"],
  AVAX: ["#e04848", "M3.8 11.2 7.2 4.8 9 8.2m-.7 3L10.3 8l1.9 3.2z"],
  LTC: ["#4a6fa5", "M7.6 4 6 11.2h4.8M5 9l4.2-1.8"],
  DOGE: ["#9a6b1d", "M6.2 4.5h1.3a3.5 3.5 0 0 1 0 7H6.2zM4.6 8h3.6"],
  BCH: ["#4d8f16", "M6 4.5v7m0-7h2.4a1.7 1.7 0 0 1 0 3.5H6h2.8a1.7 1.7 0 0 1 0 3.5H6"],
  ZEC: ["#b45309", "M5.5 5.6h5L5.5 10.4h5M8 3.8v1.8m0 4.8v1.8"],
  DASH: ["#0b7fc4", "M6.5 5h3a1.9 1.9 0 0 1 1.8 2.4l-.5 1.7A2.7 2.7 0 0 1 8.2 11H5M4.2 8h3.6"],
  XRP: ["#334155", "M4.5 4.4l2 2a2.1 2.1 0 0 0 3 0l2-2m-7 7.2l2-2a2.1 2.1 0 0 1 3 0l2 2"],
}

const disc = (colour: string, letters: string, mark: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" role="img" aria-label="${letters}">` +
  `<circle cx="8" cy="8" r="8" fill="${colour}"/>${mark}</svg>`

/** The SVG of a disc with letters, which come from a closed set of names: no script. */
export const letterDisc = (colour: string, letters: string): string =>
  disc(
    colour,
    letters,
    `<text x="8" y="8.2" fill="#fff" font-family="sans-serif" font-weight="700" font-size="${
      letters.length > 4 ? 3.5 : 4.5
    }" text-anchor="middle" dominant-baseline="middle">${letters}</text>`,
  )

/** The SVG of a coin, the same on every chain: its mark, or its letters where it has none. */
export const coinDisc = (ticker: string): string => {
  const [colour, path] = marks[ticker] ?? []
  if (colour === undefined) return letterDisc("#555", ticker)
  return disc(
    colour,
    ticker,
    `<path d="${path}" fill="none" stroke="#fff" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/>`,
  )
}
