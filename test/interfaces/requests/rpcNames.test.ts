import { assert, describe, it } from "@effect/vitest"
import { renameIssues } from "#domain/renameIssues.ts"
import { encodeNames, openNames } from "#interfaces/requests/rpcNames.ts"

describe("renameIssues", () => {
  it("names what the caller wrote, in front of a sentence and within it", () => {
    assert.deepStrictEqual(
      renameIssues(openNames, {
        numberOfChunks: ["numberOfChunks would take too long: (numberOfChunks − 1) × chunkIntervalBlocks is"],
        refundAddress: ["refundAddress cannot be used on Bitcoin, because it is empty"],
        affiliate2CommissionBps: ["affiliate2CommissionBps is required with affiliate2"],
        boostFee: ["boostFee is only for swaps from btc.btc, not from eth.eth"],
      }),
      {
        "dca_parameters.number_of_chunks": [
          "dca_parameters.number_of_chunks would take too long: (dca_parameters.number_of_chunks − 1) × " +
          "dca_parameters.chunk_interval is",
        ],
        "refund_parameters.refund_address": [
          "refund_parameters.refund_address cannot be used on Bitcoin, because it is empty",
        ],
        "affiliate_fees[1].bps": ["affiliate_fees[1].bps is required with affiliate_fees[1].account"],
        boost_fee: ["boost_fee is only for swaps from btc.btc, not from eth.eth"],
      },
    )
  })

  it("leaves words of English alone", () => {
    assert.deepStrictEqual(
      renameIssues(encodeNames, {
        amount: ["amount is above what can be swapped: a smaller amount is needed"],
        seed: ["seed must be 0x and 64 digits: a seed is random"],
      }),
      {
        "extra_parameters.input_amount": [
          "extra_parameters.input_amount is above what can be swapped: a smaller amount is needed",
        ],
        "extra_parameters.seed": ["extra_parameters.seed must be 0x and 64 digits: a seed is random"],
      },
    )
  })

  it("puts together what two of our names have to say of one of the wire", () => {
    assert.deepStrictEqual(
      renameIssues(encodeNames, { amount: ["amount one"], amountNative: ["amountNative two"] }),
      {
        "extra_parameters.input_amount": [
          "extra_parameters.input_amount one",
          "extra_parameters.input_amount two",
        ],
      },
    )
  })
})
