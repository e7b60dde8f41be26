import { phasesIn, phrasesIn } from "../translation.ts"

/** Phrases of several texts, and those that depend on a fact. */
export const phrases = phrasesIn({
  // What is told of the swap.
  source: "{sourceTicker} en {sourceChain}",
  destination: "{destinationTicker} en {destinationChain}",
  payment: { true: "su pago de {deposited}", false: "su pago" },
  expected: { true: "{expectedAmount}", false: "el importe indicado" },
  missing: { true: "los {missingAmount} que faltan", false: "lo que falta" },
  payout: { true: "{payoutAmount}", false: "el dinero" },
  refund: { true: "{refundAmount}", false: "su pago" },
  fallback: { true: "{fallbackAmount}", false: "el dinero" },
  swapped: { true: "{swappedAmount}", false: "una parte" },
  remaining: { true: "{remainingAmount}", false: "el resto" },
  confirmed: {
    none: "no se sabe cuántas",
    wanted: "hacen falta {confirmationsWanted}",
    seen: "{confirmationsSeen} hasta ahora",
    both: "{confirmationsSeen} de {confirmationsWanted}",
  },
  retryFor: {
    minute: "{retryNumber} minuto",
    minutes: "{retryNumber} minutos",
    hours: "{retryNumber} horas",
  },
  another: {
    true:
      "Para otro intercambio pida una dirección nueva donde obtuvo esta página: no envíe nada más a la antigua.",
    false:
      "Para otro intercambio pida una transacción nueva donde obtuvo esta página: no envíe esta otra vez.",
  },
  // What can be done.
  goesOn: "No tiene que hacer nada.",
  payOnce: "No pague otra vez.",
  askHere: "contacte con la aplicación o web desde la que llegó, con el ID de su transacción.",
  moneyBack: "{AskHere} Si se devuelve dinero, aparece aquí por sí solo.",
  newAddress: "pida una dirección nueva donde obtuvo esta página.",
  compareAddresses:
    "Antes de pagar, compare con las suyas las direcciones a las que va el dinero: después nadie puede cambiarlas.",
  payAndWait:
    "Pague una sola vez. Si ya ha pagado, espere. Si aquí no aparece nada durante mucho tiempo, busque su transacción en un explorador de {sourceChain}: la red, el activo, el importe y la dirección deben ser los de esta página. Si no lo son, o si nada cambia: {askHere}",
  lookUp: "Si aquí hay una transacción, búsquela en un explorador de su cadena.",
  lookPayment:
    "Busque su transacción en un explorador de {sourceChain}: quizá su comisión es demasiado baja o fue reemplazada.",
  unlessPrice: "Lo que no se pueda cambiar al precio acordado vuelve a la dirección de reembolso.",
  late: {
    swapped: "Un pago que llegue ahora todavía se cambia.",
    refunded: "Un pago que llegue ahora vuelve a la dirección de reembolso.",
    lost: "Un pago que llegue ahora se pierde.",
    untold: "Un pago que llegue ahora puede perderse.",
  },
  soLate: {
    swapped: "Un pago tan tardío todavía se cambia.",
    refunded: "Un pago tan tardío vuelve a la dirección de reembolso.",
    lost: "Un pago tan tardío se pierde.",
    untold: "Un pago tan tardío puede perderse.",
  },
  sendRest: {
    true:
      "Envíe {missing}, una sola vez, a la dirección a la que pagó. El pago tiene que estar en un bloque antes de {expiry}.",
    false: "Espere y no envíe nada más: lo que no se cambie vuelve a la dirección de reembolso.",
  },
  orWait: {
    true: "O espere: lo que no se cambie vuelve a la dirección de reembolso.",
    false: "",
  },
  swappedPart: {
    true:
      "Se cambió una parte de su pago. Pagado a la dirección de destino: {payout}. El resto no se cambió,",
    false: "Su pago no se cambió,",
  },
  givenBack: {
    by: "isRefundKnown",
    true: "Reembolsado: {refund}. Del resto no consta nada.",
    false: "No consta que nada haya vuelto a la dirección de reembolso.",
  },
  returnedPart: { true: " El resto se reembolsó: {refund}.", false: "" },
  unheard: {
    true: "{payOnce} Su pago sigue adelante de todos modos y aparece aquí en cuanto se sepa algo.",
    false:
      "No pague por ahora. Si ya ha pagado, su pago sigue adelante de todos modos y aparece aquí en cuanto se sepa algo.",
  },
})

/** Where a swap stands in each phase, then what can be done, a line each. */
export const phases = phasesIn({
  waiting_for_deposit:
    `Envíe el pago tal como lo muestra esta página. Aquí se ve cuándo ha llegado: tarda lo que tarde su cadena.
      {compareAddresses}
      {payAndWait}`,
  waiting_for_exact_deposit:
    `Envíe exactamente {exactAmount}, hasta la última cifra, tal como lo muestra esta página: otro importe no cuenta y se pierde.
      {compareAddresses}
      {payAndWait}`,
  waiting_for_deposit_with_memo:
    `Envíe el pago tal como lo muestra esta página, con su memo: sin el memo el dinero se pierde.
      {compareAddresses}
      {payAndWait}
      Si ha pagado sin el memo: {askHere}`,
  channel_closing:
    `Es demasiado tarde para pagar: la dirección acepta pagos solo hasta {expiry}, y uno enviado ahora quizá no esté en un bloque a tiempo.
      No pague más: {newAddress}
      Si ya ha pagado, espere. El pago aparece aquí en cuanto se vea.`,
  channel_expired:
    `Hasta {expiry} no se vio ningún pago, y desde entonces la dirección no acepta ninguno. No le envíe nada más. {late}
      {NewAddress}
      Si ya ha pagado, busque su transacción en un explorador de {sourceChain}. Si estuvo a tiempo en un bloque, todavía aparece aquí. Si no, {askHere}`,
  provider_switched_off: `Los pagos a esta dirección están detenidos por ahora. No se ha visto ninguno.
      No pague hasta que esta página vuelva a pedir el pago. Si no puede esperar: {newAddress}
      Si ya ha pagado, espere. El pago se sigue de todos modos y aparece aquí.`,
  network_halted: `Por ahora no se aceptan pagos de {source}. No se ha visto ninguno.
      No pague hasta que esta página vuelva a pedir el pago: hasta entonces podría quedar retenido. Si no puede esperar: {newAddress}
      Si ya ha pagado, espere. El pago se acepta en cuanto vuelva a ser posible y aparece aquí.`,
  deposit_unnoticed: `Se vio {payment}, pero todavía no se ha aceptado.
      Espere unos minutos: casi siempre se resuelve por sí solo. {payOnce}
      Si no: {askHere}`,
  deposit_seen: `Se recibió {payment} en {sourceChain}. Confirmaciones: {confirmed}.
      {goesOn} {payOnce}`,
  deposit_late: `Se vio {payment} en {sourceChain}, pero se confirma más despacio de lo habitual: {confirmed}.
      {lookPayment}
      Si su monedero puede subir la comisión de la transacción, hágalo. {payOnce}`,
  deposit_incomplete: `Se vio {payment}, menos de lo acordado: {expected}. Quizá no se cambie tan poco.
      {sendRest}
      {orWait}`,
  deposit_confirmed: `Ya tiene todas las confirmaciones {payment}, y se cambia enseguida.
      {goesOn} {payOnce}`,
  deposit_waits_for_network:
    `Se vio {payment}, pero por ahora no se aceptan pagos de {source}. Espera hasta que se acepten.
      Espere: después continúa por sí solo. {payOnce}`,
  late_deposit_seen:
    `Se vio {payment}, pero después de {expiry}, cuando la dirección ya no aceptaba ninguno. {soLate}
      Espere: aquí aparece lo que ocurra con él.
      {another}`,
  boost_pending: `Se vio {payment}, y quizá se cambie antes de sus confirmaciones.
      {goesOn} {payOnce}`,
  boost_skipped: `Se vio {payment}, y se cambia en cuanto esté confirmado: {confirmed}.
      {goesOn} {payOnce}`,
  swapping: `Ha llegado {payment}, y se está cambiando a {destination}.
      {goesOn}
      {unlessPrice}`,
  swapping_boosted: `Se aceptó {payment} antes de sus confirmaciones, y se está cambiando a {destination}.
      {goesOn}
      {unlessPrice}`,
  swap_late: `Se está cambiando {payment} a {destination}, y tarda más de lo estimado.
      Espere: o se cambia, o vuelve a la dirección de reembolso.`,
  swap_paused:
    `Ha llegado {payment}, pero todos los intercambios están detenidos por seguridad. Se cambia en cuanto continúen.
      Espere: entonces continúa por sí solo, y el precio mínimo acordado sigue vigente.`,
  swap_retrying: `No se pudo cambiar {payment} al primer intento, y se intenta otra vez.
      {goesOn}
      {unlessPrice}`,
  swap_waits_for_network:
    `Ha llegado {payment}, pero por ahora no se paga {destination}. El intercambio espera hasta que se pague.
      Espere: después continúa por sí solo.`,
  waiting_for_price:
    `Todavía no se ha cambiado {payment}: el mercado está por debajo del precio mínimo acordado. Se intenta durante {retryFor}, y después vuelve a la dirección de reembolso.
      Espere: se cambia en cuanto el mercado alcance el precio mínimo, que ya no se puede modificar.`,
  waiting_for_liquidity:
    `Todavía no se ha cambiado {payment}: tanto de una vez movería demasiado el precio. Se intenta durante {retryFor}, y después vuelve a la dirección de reembolso.
      Espere: a menudo se resuelve por sí solo en minutos.
      Si vuelve, cambie un importe menor.`,
  dca_starting: `Ha llegado {payment}, y se está cambiando a {destination} en {chunksAll} partes.
      {goesOn}
      {unlessPrice}`,
  dca_between_chunks:
    `Se cambiaron {chunksDone} de {chunksAll} partes a {destination}: {swapped}. Quedan: {remaining}. El dinero se paga después de la última.
      {goesOn}
      {unlessPrice}`,
  dca_waiting_for_price:
    `Se cambiaron {chunksDone} de {chunksAll} partes. La siguiente espera, porque el mercado está por debajo del precio mínimo acordado: se intenta durante {retryFor}. Si no se logra, se paga lo cambiado, y lo demás vuelve a la dirección de reembolso: {remaining}.
      Espere: el precio mínimo ya no se puede modificar.`,
  payout_scheduled: `El intercambio está hecho. Se enviará a la dirección de destino: {payout}.
      {goesOn}`,
  payout_sent: `Enviado a la dirección de destino: {payout}. El envío espera sus confirmaciones.
      {goesOn}`,
  payout_late:
    `El intercambio está hecho, pero el envío a la dirección de destino tarda más de lo estimado: {payout}.
      Espere. {lookUp}`,
  refund_scheduled: `Su pago no se cambió. Se enviará a la dirección de reembolso: {refund}.
      {goesOn}`,
  refund_sent:
    `Su pago no se cambió. Enviado a la dirección de reembolso: {refund}. El envío espera sus confirmaciones.
      {goesOn}`,
  refund_late: `Su pago no se cambió. El envío a la dirección de reembolso tarda más de lo debido: {refund}.
      Espere. {lookUp}`,
  both_payments_under_way:
    `Se cambió una parte de su pago. A la dirección de destino va: {payout}. El resto vuelve a la dirección de reembolso: {refund}.
      {goesOn}`,
  fallback_under_way:
    `El dinero no se pudo enviar a la dirección de destino como estaba previsto. Se envía por otra vía: {fallback}.
      Espere: la transacción aparece aquí en cuanto la haya, y dice adónde fue el dinero.`,
  completed: `Completado. Pagado a la dirección de destino: {payout}.
      {another}`,
  completed_promised:
    `Completado: el dinero se pagó a la dirección de destino. No se sabe cuánto llegó. Se prometió: {payout}. Puede ser menos, hasta el precio mínimo acordado.
      Mire en su monedero, o en un explorador de la cadena, lo que llegó.
      {another}`,
  refunded: `Su pago no se cambió. Reembolsado: {refund}.
      {another}`,
  refunded_for_price:
    `Su pago no se cambió, porque el mercado siguió por debajo del precio mínimo acordado. Reembolsado: {refund}.
      {another}`,
  completed_rest_refunded:
    `Completado. Pagado a la dirección de destino, como se pidió: {payout}. Lo que no hizo falta se reembolsó: {refund}.
      {another}`,
  refunded_partly:
    `Solo se cambió una parte ({swapped}). Pagado a la dirección de destino: {payout}. El resto se reembolsó: {refund}.
      {another}`,
  late_deposit_refunded:
    `Su pago llegó después de {expiry}, cuando la dirección ya no aceptaba ninguno, y no se cambió. Reembolsado: {refund}.
      La próxima vez pague poco después de obtener la dirección nueva.
      {another}`,
  deposit_too_small:
    `No se tuvo en cuenta {payment}: es menor que el importe mínimo que se cambia. No vuelve a la dirección de reembolso.
      No envíe más: los pagos no se suman.
      {AskHere}`,
  deposit_below_fees:
    `Se aceptó {payment}, pero no cubre las comisiones de la red. No se paga ni se devuelve nada.
      {moneyBack}
      {payOnce}`,
  deposit_ignored: `No se tuvo en cuenta {payment}, y no se cambió.
      {moneyBack}
      {payOnce}`,
  deposit_rejected: `No se cambió {payment}. {givenBack}
      {moneyBack}
      {payOnce}`,
  deposit_rejected_refunded: `Se rechazó {payment}. Reembolsado: {refund}.
      La próxima vez pague desde otro monedero: el motivo habitual es el remitente del pago.
      {another}`,
  deposit_under_review:
    `Está retenido {payment}: una dirección del intercambio fue señalada y se está revisando.
      {moneyBack}
      {payOnce}`,
  refund_unproven: `Su pago no se cambió. Se dice que volvió a la dirección de reembolso, pero no cuánto.
      Mire en su monedero, o en un explorador de la cadena, lo que llegó a la dirección de reembolso.
      Si es demasiado poco: {askHere}`,
  refund_too_small:
    `{swappedPart} y lo que queda después de las comisiones es demasiado poco para enviarlo a la dirección de reembolso.
      {moneyBack}
      {payOnce}`,
  refund_failed: `{swappedPart} y el envío a la dirección de reembolso falló: {refund}.
      {moneyBack}
      {payOnce}`,
  payout_too_small:
    `Su pago se cambió, pero el resultado es demasiado poco para enviarlo a la dirección de destino, y se queda en la red: {payout}.{returnedPart}
      {moneyBack}
      {payOnce}`,
  payout_failed: `Su pago se cambió, pero el envío a la dirección de destino falló: {payout}.{returnedPart}
      {moneyBack}
      {payOnce}`,
  payout_callable:
    `Su pago se cambió, pero el envío a la dirección de destino se preparó y no se realizó: {payout}.
      Todavía se puede enviar: {askHere}
      {payOnce}`,
  fallback_paid:
    `El dinero no se pudo enviar a la dirección de destino como estaba previsto. Pagado por otra vía: {fallback}.
      La transacción de esta página dice adónde fue.
      Si no lo ha recibido: {askHere}
      {another}`,
  fallback_failed: `El dinero no se pudo enviar, ni como estaba previsto ni por otra vía: {fallback}.
      {moneyBack}
      {payOnce}`,
  failed_unexplained: `El intercambio ha fallado, y no se conoce el motivo.
      {moneyBack}
      {payOnce}`,
  deposit_stalled: `Se vio {payment}, pero tarda en aceptarse mucho más de lo debido.
      {lookPayment}
      {payOnce} {AskHere}`,
  swap_stalled: `Ha llegado {payment}, pero tarda en cambiarse a {destination} mucho más de lo debido.
      {payOnce} {AskHere}`,
  payout_stalled:
    `El intercambio está hecho, pero el envío a la dirección de destino tarda mucho más de lo debido: {payout}.
      {lookUp}
      {AskHere}`,
  refund_stalled:
    `Su pago no se cambió, y el envío a la dirección de reembolso tarda mucho más de lo debido: {refund}.
      {lookUp}
      {AskHere}`,
  provider_contradicts:
    `Lo que se informa de este intercambio se contradice, o contradice lo acordado. Esta página muestra lo último que puede ser verdad.
      No envíe nada por ahora.
      Si ya ha pagado: {askHere}`,
  provider_not_followed:
    `Por ahora no se consulta este intercambio. Esta página muestra lo que se sabía antes.
      {unheard}`,
  provider_silent:
    `Por ahora no se sabe nada de este intercambio, aunque se consulta una y otra vez. Esta página muestra lo que se sabía antes.
      {unheard}
      Si sigue así: {askHere}`,
})
