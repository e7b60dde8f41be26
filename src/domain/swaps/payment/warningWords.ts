/** The warnings of a payment in answers, with `{name}` for values. Payers read theirs in `interfaces/payer/words`. */
export const warningWords = {
  testnet: "This is a test network: do not send real money.",
  sandbox: "This is a simulation: do not send real money, it would be lost.",
  over: "This address takes no more deposits: what is sent to it now may be lost. Ask for a new one.",
  stopped: "Do not pay for now: payments to this address are stopped, or may come too late.",
  coinOnly: "Send only {ticker}, only on {chain}. Anything else may be lost.",
  tokenOnly: "Send only {ticker}, the token {contract}, only on {chain}. Anything else may be lost.",
  memo:
    "The transaction must carry the memo, letter by letter: without it the money is lost. Neither a link nor a code can carry it, so that there is none. Do not pay from a wallet or an exchange that cannot add it.",
  noTag:
    "The output is paid to its account without a tag: an exchange's account needs one, and would not credit it.",
  outOfReach:
    "The minimum price of this swap, {limit}, is above the best known price, {best}. Unless the price rises in time, nothing is swapped and the deposit is refunded, less fees.",
  ofProgram:
    "{address} is not the address of a wallet on Solana: it may be a multisignature vault, which takes {ticker}, or a token account, where {ticker} may be lost. Check it with its owner.",
  exactAmount:
    "Send exactly {amount}, to the last digit: any other amount may be lost. Mind services that take their fee off what they send.",
  exactOutput:
    "Send {most}. The part that the swap does not need is refunded, less {fee}; a smaller part is kept. Below {least} nothing is swapped, and the payment is refunded.",
  exactOutputUntold:
    "Send {most}. The part that the swap does not need is refunded, less the fee of its chain; a smaller part is kept. Below {least} nothing is swapped, and the payment is refunded.",
  minimum: "Send at least {amount} in one payment: less is not swapped, and may be lost.",
  maximum: "No more than {amount} is swapped at once.",
  inTime: "Pay in good time: the deposit has to be on its chain before {time}, and may be lost after.",
  contractShown:
    "The link calls the token's contract: a wallet may show the contract's address in place of the deposit address. Compare the deposit address before you sign.",
  ordinaryWallet:
    "Do not pay from a smart-contract wallet, such as Safe: the payment may not be detected. An ordinary wallet is fine.",
  tronLink: "No standard defines links for Tron: check address and amount, or copy them.",
  unwritable: "There is no link, as the address cannot be written in one: copy the address.",
  noScheme: "Wallets have no common link for this chain: copy the address.",
  otherNetwork: "There is no link, as it could not name the test network: copy the address.",
  noContract: "There is no link, as the token's contract is not known: copy the address.",
  noTokenAmount:
    "There is no link, as a token's link must have an amount and none is known: copy the address.",
  tokenAccount:
    "Send the token to this address itself: your wallet finds or creates the address's account for the token. There is no link, as not every wallet does so from a link.",
  tronToken: "There is no link, as many wallets would send TRX in place of the token: copy the address.",
} as const
export type WarningKey = keyof typeof warningWords
