import type { Members } from "./json.ts"

const destination = "0x2222222222222222222222222222222222222222"

const affiliate = {
  provider: "chainflip",
  name: "wallet-one",
  account: "cFHtoB6DrnqUVY4DwMHCVCtgCLsiHvv98oGw8k66tazF2ToFv",
  withdrawalAddress: destination,
  registeredAt: 1785333864000,
  earned: [],
}

const requested = {
  id: 1,
  provider: "chainflip",
  asset: "usdc.eth",
  destination,
  state: "taken",
  earned: 125.5,
  earnedNative: "125500000",
  amount: 123.25,
  amountNative: "123250000",
  fee: 2.25,
  feeNative: "2250000",
  reference: "Ethereum-103",
  isContradicted: false,
  requestedAt: 1785333864000,
  changedAt: 1785333870000,
}

const paid = {
  ...requested,
  state: "paid",
  paymentTransaction: "0x3c1e5f0b6f0fb1e2a3d4c5b6a79808f7e6d5c4b3a2918071605f4e3d2c1b0a99",
  changedAt: 1785333930000,
}

/** Only the beginning: a whole page has the whole file in it. */
const casePage = '<!doctype html><html lang="en"><head><title>Case file of swap 1</title></head></html>'

/**
 * Answers that the requests of the samples do not get: their swap is at a provider that cannot look again, its end is
 * not disputed, and when they are recorded nothing has been earned yet.
 */
export const writtenAnswers: Members = {
  getCaseFile: { "text/html": casePage },
  getAnyCaseFile: { "text/html": casePage },
  acceptEnd: { "application/json": { id: 1, entry: 7 } },
  reindexSwap: {
    "application/json": { found: [{ asset: "btc.btc", symbol: "BTC", amountNative: "10000000" }] },
  },
  withdraw: { "application/json": requested },
  withdrawShare: { "application/json": { ...requested, affiliate: affiliate.account } },
  getWithdrawal: {
    "application/json": {
      ...paid,
      steps: [
        { state: "requested", at: 1785333864000 },
        { state: "taken", at: 1785333870000 },
        { state: "paid", at: 1785333930000 },
      ],
    },
  },
  decideWithdrawal: {
    "application/json": { ...requested, state: "failed", detail: "The operator: seen on the chain" },
  },
  registerAffiliate: { "application/json": affiliate },
  enterIntoLedger: { "application/json": [] },
}
