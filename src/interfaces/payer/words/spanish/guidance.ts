import { phasesIn, phrasesIn } from "../translation.ts"

/** Phrases of several texts, and those that depend on a fact. */
export const phrases = phrasesIn({
  // What is told of the swap.
  source: "{sourceTicker} en {sourceChain}",
  destination: "{destinationTicker} en {destinationChain}",
  payment: "su pago",
  expected: { true: "{expectedAmount}", false: "el importe indicado" },
  missing: { true: "los {missingAmount} que faltan", false: "lo que falta" },
  payout: { true: "{payoutAmount}", false: "el dinero" },
  refund: { true: "{refundAmount}", false: "su pago" },
  fallback: { true: "{fallbackAmount}", false: "el dinero" },
  swapped: { true: "{swappedAmount}", false: "una parte" },
  remaining: { true: "{remainingAmount}", false: "el resto" },
  retryFor: {
    minute: "{retryNumber} minuto",
    minutes: "{retryNumber} minutos",
    hours: "{retryNumber} horas",
  },
  another: "Para intercambiar otra vez, {newSwap} No envíe nada más a la dirección anterior.",
  // What can be done.
  goesOn: "No tiene que hacer nada.",
  payOnce: "No pague otra vez.",
  askHere: "contacte con {helper} e indique el intercambio {swapNumber}.",
  moneyBack: "{AskHere} Si hay un reembolso, aparece en esta página.",
  newSwap: "inicie un nuevo intercambio en {merchant}.",
  smallPayment: {
    true: "Usted envió {sentAmount}. El mínimo era {minimumAmount}.",
    false: "{Payment} está por debajo del mínimo. Se desconoce el mínimo exacto.",
  },
  usually: { true: " Un intercambio así suele tardar {usualMinutes} min.", false: "" },
  payAndWait: {
    true: "¿Ha pagado y no aparece nada? {AskHere} Tenga a mano el ID de su transacción.",
    false: "",
  },
  lookUp: { true: "Compruebe la transacción de abajo en un explorador de su cadena.", false: "" },
  lookPayment:
    "Compruebe su transacción en un explorador de {sourceChain}. Quizá su comisión es demasiado baja o fue reemplazada.",
  unlessPrice: "Lo que no se pueda intercambiar al precio mínimo se reembolsa.",
  late: {
    swapped: "Los pagos posteriores todavía se intercambian.",
    refunded: "Los pagos posteriores se reembolsan.",
    lost: "Los pagos posteriores se pierden.",
    untold: "Los pagos posteriores pueden perderse.",
  },
  sendRest: {
    true:
      "Envíe {missing}, una sola vez, a la dirección a la que pagó. El pago tiene que estar en un bloque antes de {expiry}. O espere: lo que no se intercambie se reembolsa.",
    false: "Espere y no envíe nada más. Lo que no se intercambie se reembolsa.",
  },
  swappedPart: {
    true:
      "Se intercambió una parte de su pago. Pagado a la dirección de destino: {payout}. El resto no se intercambió,",
    false: "Su pago no se intercambió,",
  },
  givenBack: {
    true: "Reembolsado: {refund}. Se desconoce el estado del resto.",
    false: "No consta ningún reembolso. Lo que no cubre las comisiones de red no se reembolsa.",
  },
  returnedPart: { true: " El resto se reembolsó: {refund}.", false: "" },
  unheard: {
    true: "{payOnce} Su intercambio continúa. Esta página se actualiza cuando se vuelva a conocer su estado.",
    false:
      "No pague por ahora. Si ya ha pagado, su intercambio continúa. Esta página se actualiza cuando se vuelva a conocer su estado.",
  },
})

/** Where a swap stands in each phase, then what can be done, a line each. */
export const phases = phasesIn({
  waiting_for_deposit: `Su pago aparece aquí automáticamente.
      {payAndWait}`,
  waiting_for_exact_deposit:
    `Envíe exactamente {exactAmount}, hasta la última cifra. Cualquier otro importe se pierde.
      {payAndWait}`,
  waiting_for_deposit_with_memo: `Envíe el pago con su memo. Sin el memo el dinero se pierde.
      {payAndWait}
      Si ha pagado sin el memo: {askHere}`,
  channel_closing:
    `Es demasiado tarde para pagar. La dirección se cierra el {expiry}, y un pago enviado ahora quizá no esté en un bloque a tiempo.
      No pague más: {newSwap}
      Si ya ha pagado: espere. El pago aparece aquí en cuanto se vea.`,
  channel_expired: `La dirección caducó el {expiry}. No envíe nada a esa dirección. {late}
      Si ya ha pagado: busque su transacción en un explorador de {sourceChain}. Si se confirmó antes del límite, todavía aparecerá aquí. Si no, {askHere}`,
  provider_switched_off: `Los pagos a esta dirección están detenidos. No ha llegado ninguno.
      No pague hasta que esta página vuelva a pedir el pago. Si no puede esperar: {newSwap}
      Si ya ha pagado: espere. Su pago aparece aquí.`,
  network_halted: `Los pagos de {source} están detenidos. No ha llegado ninguno.
      No pague hasta que esta página vuelva a pedir el pago. Hasta entonces podría quedar retenido. Si no puede esperar: {newSwap}
      Si ya ha pagado: espere. Su pago continúa cuando se reanuden, y aparece aquí.`,
  deposit_unnoticed: `Se vio {payment}, pero todavía no se ha aceptado.
      Espere unos minutos. {payOnce}
      Si nada cambia: {askHere}`,
  deposit_seen: `{sourceChain} está confirmando su pago.
      {goesOn} {payOnce}`,
  deposit_late: `Se recibió {payment}, pero su confirmación en {sourceChain} tarda más de lo habitual.
      {lookPayment}
      Si su monedero puede subir la comisión de la transacción, hágalo. {payOnce}`,
  deposit_incomplete:
    `Se vio {payment}, menos de lo acordado: {expected}. Quizá sea demasiado poco para intercambiarlo.
      {sendRest}`,
  deposit_confirmed: `Se confirmó {payment}. El intercambio empieza enseguida.
      {goesOn} {payOnce}`,
  deposit_waits_for_network: `Se recibió {payment}, pero los pagos de {source} están detenidos.
      Espere. El intercambio continúa cuando se reanuden. {payOnce}`,
  late_deposit_seen: `Se recibió {payment} después del {expiry}, cuando la dirección ya estaba cerrada. {late}
      Espere. Esta página muestra el resultado.
      {another}`,
  boost_pending: `Se vio {payment}, y quizá se intercambie antes de sus confirmaciones.
      {goesOn} {payOnce}`,
  boost_skipped: `Se vio {payment}, y se intercambia en cuanto esté confirmado.
      {goesOn} {payOnce}`,
  swapping: `Ha llegado {payment}, y se está intercambiando por {destination}.
      {goesOn}
      {unlessPrice}`,
  swapping_boosted:
    `Se aceptó {payment} antes de sus confirmaciones, y se está intercambiando por {destination}.
      {goesOn}
      {unlessPrice}`,
  swap_late: `Se está intercambiando {payment} por {destination}, pero más despacio de lo habitual.
      Espere. O se intercambia o se reembolsa.`,
  swap_paused: `Ha llegado {payment}, pero todos los intercambios están detenidos por seguridad.
      Espere. El intercambio continúa cuando se reanuden, y el precio mínimo sigue vigente.`,
  swap_retrying: `No se pudo intercambiar {payment} al primer intento. Se intenta otra vez.
      {goesOn}
      {unlessPrice}`,
  swap_waits_for_network: `Ha llegado {payment}, pero las salidas de {destination} están detenidas.
      Espere. El intercambio continúa cuando se reanuden.`,
  waiting_for_price:
    `Todavía no se ha intercambiado {payment}, porque el mercado está por debajo del precio mínimo. Si eso dura {retryFor}, se reembolsa.
      Espere. El intercambio continúa cuando el mercado alcance el precio mínimo, que no se puede cambiar.`,
  waiting_for_liquidity:
    `Todavía no se ha intercambiado {payment}, porque movería demasiado el precio. Si eso dura {retryFor}, se reembolsa.
      Espere. A menudo tarda solo unos minutos.
      Si se reembolsa, intercambie un importe menor.`,
  dca_starting: `Ha llegado {payment}, y se está intercambiando por {destination} en {chunksAll} partes.
      {goesOn}
      {unlessPrice}`,
  dca_between_chunks:
    `Se intercambiaron {chunksDone} de {chunksAll} partes por {destination}: {swapped}. Quedan: {remaining}. El dinero se paga después de la última.
      {goesOn}
      {unlessPrice}`,
  dca_waiting_for_price:
    `Se intercambiaron {chunksDone} de {chunksAll} partes. La siguiente espera al precio mínimo. Si eso dura {retryFor}, se paga lo intercambiado y se reembolsa lo demás: {remaining}.
      Espere. El precio mínimo no se puede cambiar.`,
  payout_scheduled: `El intercambio está hecho. El dinero se enviará a la dirección de destino.
      {goesOn}`,
  payout_sent: `El dinero se envió a la dirección de destino. Faltan confirmaciones.
      {goesOn}`,
  payout_late: `El intercambio está hecho, pero el envío del dinero tarda más de lo habitual.
      Espere.
      {lookUp}`,
  refund_scheduled: `Su pago no se intercambió. Se reembolsará.
      {goesOn}`,
  refund_sent: `Su pago no se intercambió. El reembolso se envió. Faltan confirmaciones.
      {goesOn}`,
  refund_late: `Su pago no se intercambió. El reembolso tarda más de lo habitual.
      Espere.
      {lookUp}`,
  both_payments_under_way:
    `Se intercambió una parte de su pago. En camino a la dirección de destino: {payout}. El resto se está reembolsando: {refund}.
      {goesOn}`,
  fallback_under_way:
    `El dinero no se pudo enviar a la dirección de destino como estaba previsto. Un pago alternativo está en camino: {fallback}.
      Espere. Su transacción aparece abajo y muestra adónde fue.`,
  completed: `El dinero se pagó a la dirección de destino.
      {another}`,
  completed_promised:
    `Completado. El dinero se pagó a la dirección de destino. Se prometió: {payout}. Puede ser menos, hasta el precio mínimo.
      Compruebe lo que llegó en su monedero o en un explorador.
      {another}`,
  refunded: `Su pago no se intercambió. Se reembolsó.
      {another}`,
  refunded_for_price:
    `Al precio de mercado habría recibido menos de su mínimo. En su lugar se le reembolsó el pago.
      {another}`,
  completed_rest_refunded:
    `Completado. Pagado exactamente a la dirección de destino: {payout}. El excedente se reembolsó: {refund}.
      {another}`,
  refunded_partly: `Solo se intercambió y se pagó una parte. El resto se reembolsó.
      {another}`,
  late_deposit_refunded:
    `Su pago llegó después del {expiry}, cuando la dirección ya estaba cerrada. No se intercambió, sino que se reembolsó.
      La próxima vez pague poco después de obtener la dirección nueva.
      {another}`,
  deposit_too_small:
    `{smallPayment} El pago es demasiado pequeño para intercambiarlo y no se reembolsa automáticamente.
      No envíe nada más. Un segundo pago no completa el primero.
      Consultas: {AskHere}`,
  deposit_below_fees: `{Payment} no cubre las comisiones de la red. No se paga ni se reembolsa nada.
      {moneyBack}
      {payOnce}`,
  deposit_ignored: `No se aceptó {payment}, y no se intercambió.
      {moneyBack}
      {payOnce}`,
  deposit_rejected: `No se intercambió {payment}. {givenBack}
      {moneyBack}
      {payOnce}`,
  deposit_rejected_refunded: `No se aceptó {payment}. Se reembolsó.
      La próxima vez pague desde otro monedero. El motivo habitual es el remitente.
      {another}`,
  deposit_under_review:
    `Está retenido {payment}: una dirección del intercambio fue señalada y se está revisando.
      {moneyBack}
      {payOnce}`,
  refund_unproven: `Su pago no se intercambió. Consta como reembolsado, pero se desconoce el importe.
      Compruebe en su monedero o en un explorador lo que llegó a la dirección de reembolso.
      Si es demasiado poco: {askHere}`,
  refund_too_small: `{swappedPart} y lo que queda tras las comisiones es demasiado poco para reembolsarlo.
      {moneyBack}
      {payOnce}`,
  refund_failed: `{swappedPart} y el reembolso falló: {refund}.
      {moneyBack}
      {payOnce}`,
  payout_too_small:
    `Su pago se intercambió, pero el resultado es demasiado poco para enviarlo a la dirección de destino. Se queda en la red: {payout}.{returnedPart}
      {moneyBack}
      {payOnce}`,
  payout_failed:
    `Su pago se intercambió, pero el envío a la dirección de destino falló: {payout}.{returnedPart}
      {moneyBack}
      {payOnce}`,
  payout_callable:
    `Su pago se intercambió, pero el envío a la dirección de destino se preparó y no se realizó: {payout}.
      Todavía se puede enviar: {askHere}
      {payOnce}`,
  fallback_paid:
    `El dinero no se pudo enviar a la dirección de destino como estaba previsto. Se hizo un pago alternativo: {fallback}.
      La transacción de abajo muestra adónde fue.
      Si no es suyo: {askHere}
      {another}`,
  fallback_failed:
    `El dinero no se pudo enviar, ni como estaba previsto ni con un pago alternativo: {fallback}.
      {moneyBack}
      {payOnce}`,
  failed_unexplained: `El intercambio falló. Se desconoce el motivo.
      {moneyBack}
      {payOnce}`,
  deposit_stalled: `Se vio {payment}, pero su confirmación tarda mucho más de lo habitual.{usually}
      {lookPayment}
      {payOnce} {AskHere}`,
  swap_stalled:
    `Ha llegado {payment}, pero el intercambio por {destination} tarda mucho más de lo habitual.{usually}
      {payOnce} {AskHere}`,
  payout_stalled:
    `El intercambio está hecho, pero el envío del dinero tarda mucho más de lo habitual.{usually}
      {lookUp}
      {payOnce} {AskHere}`,
  refund_stalled: `Su pago no se intercambió, y el reembolso tarda mucho más de lo habitual.
      {lookUp}
      {payOnce} {AskHere}`,
  provider_contradicts:
    `El último estado contradice los anteriores o lo acordado. Se muestra el último que es coherente.
      No envíe nada por ahora.
      Si ya ha pagado: {askHere}`,
  provider_not_followed: `Las consultas de estado están en pausa. Quizá esta página no esté al día.
      {unheard}`,
  provider_silent: `No se puede acceder a la red en este momento. Quizá esta página no esté al día.
      {unheard}
      Si sigue así: {askHere}`,
})
