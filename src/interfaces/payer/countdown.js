/** The time that is left to pay, counted down: `1 h 28 min`, in the last hour with seconds. */
const leftOf = (seconds) => {
  const [whole, rest, name, small] = seconds >= 86_400
    ? [86_400, 3_600, "d", "h"]
    : seconds >= 3_600
    ? [3_600, 60, "h", "min"]
    : [60, 1, "min", "s"]
  const first = Math.floor(seconds / whole)
  const second = Math.floor((seconds % whole) / rest)
  return first === 0
    ? `${second} ${small}`
    : second === 0
    ? `${first} ${name}`
    : `${first} ${name} ${second} ${small}`
}

/** The end of each countdown by the clock that no change of the time of day moves; a part that is new has a new one. */
const ends = new WeakMap()

const countDown = () => {
  for (const part of document.querySelectorAll("[data-left]")) {
    if (!ends.has(part)) ends.set(part, performance.now() + Number(part.dataset.left) * 1000)
    part.textContent = leftOf(Math.max(0, Math.floor((ends.get(part) - performance.now()) / 1000)))
  }
}

countDown()
setInterval(countDown, 1000)
