import { Predicate } from "effect"
import { issueAbout, type Issues, noIssues } from "../domain/Issues.ts"
import type { RawParameters } from "./readParameters.ts"

/**
 * The members of a body in which a message for the receiving contract has its gas budget under the one name of the
 * contract: clients write `gas_budget`, as the network's own interface does, or `gasBudget`.
 */
export const withOneGasBudget = (
  raw: RawParameters,
): { readonly raw: RawParameters; readonly issues: Issues } => {
  const { ccmPayload } = raw
  if (!Predicate.isObject(ccmPayload) || !Object.hasOwn(ccmPayload, "gas_budget")) {
    return { raw, issues: noIssues }
  }
  const { gas_budget: gasBudget, ...message } = { gasBudget: undefined, gas_budget: undefined, ...ccmPayload }
  const differs = message.gasBudget !== undefined && message.gasBudget !== gasBudget
  return {
    raw: { ...raw, ccmPayload: { ...message, gasBudget } },
    issues: differs
      ? issueAbout("ccmPayload", "has a gasBudget and a gas_budget with different values")
      : noIssues,
  }
}
