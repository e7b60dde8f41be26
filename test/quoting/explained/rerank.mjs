// Sorts the quotes of explanations again, with nothing but what is in them. Plain Node, no packages:
//   node rerank.mjs explanations.jsonl
// Each line is the body of GET /quotes/{quoteId}/explanation. Prints how many were sorted, and how many differ.
import { readFileSync } from "node:fs"

const ceilSqrt = (value) => {
  if (value < 2n) return value
  let low = 0n
  let high = value
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (middle * middle >= value) high = middle
    else low = middle
  }
  return high
}

/** The 95 % Wilson bound (z = 1.96) below completed / n, in millionths, rounded down. */
const lowerBoundPpm = ({ completed, n }) => {
  if (n < 20) return undefined
  const [k, all, zz] = [BigInt(completed), BigInt(n), 196n * 196n]
  const square = ((zz * all + 40000n * k * (all - k)) * 10n ** 20n + all - 1n) / all
  const numerator = (20000n * k + zz) * 10n ** 10n - 196n * ceilSqrt(square)
  return numerator <= 0n ? 0n : numerator / (2n * (10000n * all + zz) * 10000n)
}

const compare = (one, other) => one < other ? -1 : one > other ? 1 : 0

/** The most output first, regular before DCA, then the operator's order. */
const byNet = (preference) => (one, other) =>
  compare(BigInt(other.egress.amountNative), BigInt(one.egress.amountNative)) ||
  compare(one.type === "dca", other.type === "dca") ||
  compare(preference.indexOf(one.platform), preference.indexOf(other.platform))

/** What a policy sorts by before that; the highest comes first. */
const figures = {
  "net-output@1": () => 0n,
  "fastest@1": ({ estimateMillis }) => -BigInt(estimateMillis),
  "guaranteed@1": ({ guaranteed }) => BigInt(guaranteed.amountNative),
  "reliable@1": ({ egress, reliability }, cost) => {
    const bound = lowerBoundPpm(reliability)
    return bound === undefined ? undefined : (BigInt(egress.amountNative) - cost) * bound
  },
}

const byFigure = (figure, cost) => (one, other) => {
  const [left, right] = [figure(one, cost), figure(other, cost)]
  if (left === undefined || right === undefined) return compare(left === undefined, right === undefined)
  return compare(right, left)
}

const sort = ({ depositCost, policy, preference, quotes }) => {
  const cost = BigInt(depositCost?.amountNative ?? 0)
  return [...quotes].sort(byNet(preference)).sort(byFigure(figures[policy], cost))
}

/** Whether the explanation agrees with itself: the order, the net amounts, the bounds. */
const agrees = (explanation) => {
  const cost = BigInt(explanation.depositCost?.amountNative ?? 0)
  return sort(explanation).every(({ egress, lowerBoundPpm: told, net, position, reliability }, index) =>
    position === index + 1 &&
    BigInt(net.amountNative) === BigInt(egress.amountNative) - cost &&
    (told === undefined ? undefined : BigInt(told)) === lowerBoundPpm(reliability)
  )
}

const lines = readFileSync(process.argv[2], "utf8").split("\n").filter((line) => line !== "")
const different = lines.filter((line) => !agrees(JSON.parse(line)))
console.log(`${lines.length} sorted again, ${different.length} differences`)
if (different.length > 0) console.log(different[0])
