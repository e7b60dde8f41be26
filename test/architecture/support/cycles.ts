/**
 * The sets of nodes of a graph that lead to one another, after Tarjan: each has two nodes or more, in the order of
 * their names.
 */
export const cycles = (
  arrows: ReadonlyMap<string, ReadonlyArray<string>>,
): ReadonlyArray<ReadonlyArray<string>> => {
  const order = new Map<string, number>()
  const open: Array<string> = []
  const found: Array<ReadonlyArray<string>> = []

  const visit = (node: string): number => {
    const index = order.size
    order.set(node, index)
    open.push(node)
    let low = index
    for (const next of arrows.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? index)
    }
    if (low === index) {
      const members = open.splice(open.indexOf(node))
      if (members.length > 1) found.push(members.toSorted())
    }
    return low
  }

  for (const node of arrows.keys()) if (!order.has(node)) visit(node)
  return found
}
