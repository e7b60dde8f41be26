import { Record } from "effect"

/**
 * Usual names elsewhere for our parameters, in lower case and without separators. Names that as often mean something
 * harmless (`from`, `to`, `source`, `address`, `network`, `interval`, `fee`) are left out.
 */
const written = {
  sourceAsset:
    "fromasset fromtoken fromcoin srcasset srctoken sourcetoken sourcecoin inputasset ingressasset " +
    "depositasset sellasset originasset",
  destinationAsset:
    "toasset totoken tocoin dstasset dsttoken destasset desttoken destinationtoken destinationcoin " +
    "outputasset egressasset buyasset targetasset",
  destinationAddress:
    "toaddress dstaddress destaddress destinationaddr destaddr recipient recipientaddress receiver " +
    "receiveraddress receivingaddress payoutaddress outputaddress egressaddress targetaddress " +
    "beneficiaryaddress recipientaccount withdrawaladdress withdrawalto payto towallet destinationwallet " +
    "settleaddress customrecipient",
  boostFee: "boost boostfeebps boostbps maxboostfee maxboostfeebps maximumboostfee maximumboostfeebps",
  minimumPrice: "minprice minimalprice limitprice pricelimit minoutput minoutputamount minimumoutput " +
    "minimumoutputamount minamountout minimumamountout amountoutmin amountoutminimum minreceived " +
    "minimumreceived toamountmin minbuyamount minreturn minreturnamount minout outmin mindestamount " +
    "mintoamount minrate minimumrate worstprice stopprice tolerance fillorkillparams",
  refundAddress:
    "refund refundto refundaddr refunddestination returnaddress returnto refundwallet refundrecipient " +
    "refundaccount sourcerefundaddress rollbackaddress refunddestinationaddress refundbtcaddress " +
    "refundethaddress refunds refundparameters",
  retryDurationInBlocks:
    "retryduration retrydurationblocks retryblocks retrydurationseconds retrydurationinseconds " +
    "retrydurationminutes retrydurationinminutes",
  numberOfChunks: "chunks nchunks numchunks numofchunks chunkcount dcachunks dcaparams",
  chunkIntervalBlocks: "chunkinterval chunkintervalinblocks chunkdelay dcainterval",
  commissionBps:
    "commission commissionpercent brokercommission brokercommissionbps brokerfee brokerfeebps feebps",
  affiliate1: "affiliate affiliates affiliateaccount affiliateaddress affiliatebrokers affiliatefees",
  affiliate1CommissionBps:
    "affiliatecommission affiliatecommissionbps affiliatefee affiliatefeebps affiliatebps",
  amount: "inputamount depositamount ingressamount sellamount fromamount amountin",
  amountNative: "nativeamount inputamountnative depositamountnative ingressamountnative",
  amountOut: "outputamount receiveamount egressamount buyamount toamount exactoutput",
  amountOutNative: "outputamountnative nativeamountout egressamountnative",
  platform: "provider providers providername",
  ccmPayload: "ccm ccmparams ccmmetadata channelmetadata ccmmessage gasbudget",
  sourceAddress: "fromaddress sender senderaddress",
  sourceTokenAccount: "fromtokenaccount tokenaccount",
  types: "events eventtypes eventtype",
}

export const synonyms = Record.map(written, (names) => names.split(" "))
