/** The time that is left to pay, counted down: `1 h 28 min`, in the last hour with seconds. */
const leftOf = (seconds, [day, days]) => {
  const [whole, rest, name, small] = seconds >= 86_400
    ? [86_400, 3_600, seconds < 172_800 ? day : days, "h"]
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
    const left = Math.max(0, Math.floor((ends.get(part) - performance.now()) / 1000))
    part.textContent = leftOf(left, part.dataset.days.split(" "))
  }
}

/** Each time by the reader's clock: `20:53 your time (19:53 UTC)`, with the day where it is another one. */
const tellHere = () => {
  for (const part of document.querySelectorAll("time[data-here]")) {
    const at = new Date(part.dateTime)
    if (at.getTimezoneOffset() === 0) continue
    const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }
    const date = { day: "numeric", month: "short" }
    const text = (form) => at.toLocaleString(document.documentElement.lang.replace(/^en$/, "en-GB"), form)
    const isToday = at.toDateString() === new Date().toDateString()
    const here = isToday ? clock : { ...date, ...clock }
    const there = text(date) === text({ ...date, timeZone: "UTC" }) ? clock : { ...date, ...clock }
    part.textContent = `${text(here)} ${part.dataset.here} (${text({ ...there, timeZone: "UTC" })} UTC)`
  }
}

const bringUp = () => {
  countDown()
  tellHere()
}

bringUp()
setInterval(countDown, 1000)
document.addEventListener("fresh", bringUp)
