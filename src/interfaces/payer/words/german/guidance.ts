import { phasesIn, phrasesIn } from "../translation.ts"

/** Phrases of several texts, and those that depend on a fact. */
export const phrases = phrasesIn({
  // What is told of the swap.
  source: "{sourceTicker} auf {sourceChain}",
  destination: "{destinationTicker} auf {destinationChain}",
  payment: "Ihre Zahlung",
  expected: { true: "{expectedAmount}", false: "der genannte Betrag" },
  missing: { true: "die fehlenden {missingAmount}", false: "was noch fehlt" },
  payout: { true: "{payoutAmount}", false: "das Geld" },
  refund: { true: "{refundAmount}", false: "Ihre Zahlung" },
  fallback: { true: "{fallbackAmount}", false: "das Geld" },
  swapped: { true: "{swappedAmount}", false: "ein Teil" },
  remaining: { true: "{remainingAmount}", false: "der Rest" },
  retryFor: {
    minute: "{retryNumber} Minute",
    minutes: "{retryNumber} Minuten",
    hours: "{retryNumber} Stunden",
  },
  another: "Um noch einmal zu tauschen, {newSwap} Senden Sie nichts mehr an die alte Adresse.",
  // What can be done.
  goesOn: "Sie müssen nichts tun.",
  payOnce: "Zahlen Sie nicht noch einmal.",
  askHere: "wenden Sie sich an {helper} und nennen Sie Tausch {swapNumber}.",
  moneyBack: "{AskHere} Eine Erstattung erscheint auf dieser Seite.",
  newSwap: "beginnen Sie einen neuen Tausch über {merchant}.",
  smallPayment: {
    true: "Sie haben {sentAmount} gesendet. Mindestbetrag: {minimumAmount}.",
    false: "{Payment} liegt unter dem Mindestbetrag. Dessen genaue Höhe ist unbekannt.",
  },
  usually: { true: " Üblich sind für einen solchen Tausch {usualMinutes} min.", false: "" },
  payAndWait: {
    true: "Gezahlt, und hier erscheint nichts? {AskHere} Halten Sie Ihre Transaktions-ID bereit.",
    false: "",
  },
  lookUp: { true: "Prüfen Sie die Transaktion unten in einem Explorer ihrer Chain.", false: "" },
  lookPayment:
    "Prüfen Sie Ihre Transaktion in einem {sourceChain}-Explorer. Vielleicht ist ihre Gebühr zu niedrig, oder sie wurde ersetzt.",
  unlessPrice: "Was sich nicht zum Mindestpreis tauschen lässt, wird erstattet.",
  late: {
    swapped: "Spätere Zahlungen werden noch getauscht.",
    refunded: "Spätere Zahlungen werden erstattet.",
    lost: "Spätere Zahlungen sind verloren.",
    untold: "Spätere Zahlungen können verloren gehen.",
  },
  sendRest: {
    true:
      "Senden Sie einmal {missing} an die Adresse, an die Sie gezahlt haben. Die Zahlung muss bis {expiry} in einem Block sein. Oder warten Sie: Was nicht getauscht wird, wird erstattet.",
    false: "Warten Sie, und senden Sie nichts mehr. Was nicht getauscht wird, wird erstattet.",
  },
  swappedPart: {
    true:
      "Ein Teil Ihrer Zahlung wurde getauscht. An die Zieladresse gezahlt: {payout}. Der Rest wurde nicht getauscht,",
    false: "Ihre Zahlung wurde nicht getauscht,",
  },
  givenBack: {
    true: "Erstattet: {refund}. Der Stand des Rests ist unbekannt.",
    false: "Eine Erstattung ist nicht bekannt. Was die Netzgebühren nicht deckt, wird nicht erstattet.",
  },
  returnedPart: { true: " Der Rest wurde erstattet: {refund}.", false: "" },
  unheard: {
    true:
      "{payOnce} Ihr Tausch läuft weiter. Diese Seite aktualisiert sich, sobald sein Stand wieder bekannt ist.",
    false:
      "Zahlen Sie vorerst nicht. Wenn Sie gezahlt haben, läuft Ihr Tausch weiter. Diese Seite aktualisiert sich, sobald sein Stand wieder bekannt ist.",
  },
})

/** Where a swap stands in each phase, then what can be done, a line each. */
export const phases = phasesIn({
  waiting_for_deposit: `Ihre Zahlung erscheint hier automatisch.
      {payAndWait}`,
  waiting_for_exact_deposit:
    `Senden Sie genau {exactAmount}, bis zur letzten Stelle. Jeder andere Betrag ist verloren.
      {payAndWait}`,
  waiting_for_deposit_with_memo: `Senden Sie die Zahlung mit ihrem Memo. Ohne das Memo ist das Geld verloren.
      {payAndWait}
      Wenn Sie ohne das Memo gezahlt haben: {askHere}`,
  channel_closing:
    `Zum Zahlen ist es zu spät. Die Adresse schließt um {expiry}, und eine jetzt gesendete Zahlung ist bis dahin vielleicht in keinem Block.
      Zahlen Sie nicht mehr: {newSwap}
      Wenn Sie gezahlt haben: Warten Sie. Die Zahlung erscheint hier, sobald sie zu sehen ist.`,
  channel_expired: `Die Adresse ist am {expiry} abgelaufen. Senden Sie nichts mehr an sie. {late}
      Wenn Sie gezahlt haben: Suchen Sie Ihre Transaktion in einem {sourceChain}-Explorer. Wurde sie vor Fristende bestätigt, erscheint sie noch hier. Sonst {askHere}`,
  provider_switched_off: `Zahlungen an diese Adresse sind angehalten. Bisher kam keine an.
      Zahlen Sie nicht, bis diese Seite wieder um die Zahlung bittet. Wenn Sie nicht warten können: {newSwap}
      Wenn Sie gezahlt haben: Warten Sie. Ihre Zahlung erscheint hier.`,
  network_halted: `Zahlungen in {source} sind angehalten. Bisher kam keine an.
      Zahlen Sie nicht, bis diese Seite wieder um die Zahlung bittet. So lange könnte sie festliegen. Wenn Sie nicht warten können: {newSwap}
      Wenn Sie gezahlt haben: Warten Sie. Ihre Zahlung läuft weiter, sobald das wieder geht, und erscheint hier.`,
  deposit_unnoticed: `{Payment} ist zu sehen, aber noch nicht angenommen.
      Warten Sie einige Minuten. {payOnce}
      Wenn sich nichts ändert: {askHere}`,
  deposit_seen: `{sourceChain} bestätigt gerade Ihre Zahlung.
      {goesOn} {payOnce}`,
  deposit_late: `{Payment} ist eingegangen, aber ihre Bestätigung auf {sourceChain} dauert länger als üblich.
      {lookPayment}
      Wenn Ihr Wallet die Gebühr der Transaktion erhöhen kann, tun Sie das. {payOnce}`,
  deposit_incomplete:
    `{Payment} ist zu sehen. Das ist weniger als vereinbart: {expected}. Vielleicht ist es zu wenig für einen Tausch.
      {sendRest}`,
  deposit_confirmed: `{Payment} ist bestätigt. Der Tausch beginnt gleich.
      {goesOn} {payOnce}`,
  deposit_waits_for_network: `{Payment} ist eingegangen, aber Zahlungen in {source} sind angehalten.
      Warten Sie. Der Tausch geht weiter, sobald sie wieder laufen. {payOnce}`,
  late_deposit_seen:
    `{Payment} ist erst nach {expiry} eingegangen, als die Adresse schon geschlossen war. {late}
      Warten Sie. Diese Seite zeigt das Ergebnis.
      {another}`,
  boost_pending: `{Payment} ist zu sehen und wird vielleicht schon vor ihren Bestätigungen getauscht.
      {goesOn} {payOnce}`,
  boost_skipped: `{Payment} ist zu sehen und wird getauscht, sobald sie bestätigt ist.
      {goesOn} {payOnce}`,
  swapping: `{Payment} ist angekommen und wird in {destination} getauscht.
      {goesOn}
      {unlessPrice}`,
  swapping_boosted: `{Payment} wurde vor ihren Bestätigungen angenommen und wird in {destination} getauscht.
      {goesOn}
      {unlessPrice}`,
  swap_late: `{Payment} wird in {destination} getauscht, aber langsamer als üblich.
      Warten Sie. Sie wird getauscht oder erstattet.`,
  swap_paused: `{Payment} ist angekommen, aber alle Tauschvorgänge sind zur Sicherheit angehalten.
      Warten Sie. Der Tausch geht weiter, sobald sie wieder laufen. Der Mindestpreis gilt weiterhin.`,
  swap_retrying: `{Payment} konnte beim ersten Versuch nicht getauscht werden. Es wird noch einmal versucht.
      {goesOn}
      {unlessPrice}`,
  swap_waits_for_network: `{Payment} ist angekommen, aber Auszahlungen in {destination} sind angehalten.
      Warten Sie. Der Tausch geht weiter, sobald sie wieder laufen.`,
  waiting_for_price:
    `{Payment} ist noch nicht getauscht, weil der Markt unter dem Mindestpreis liegt. Bleibt das {retryFor} lang so, wird sie erstattet.
      Warten Sie. Der Tausch geht weiter, sobald der Markt den Mindestpreis erreicht. Der Mindestpreis lässt sich nicht ändern.`,
  waiting_for_liquidity:
    `{Payment} ist noch nicht getauscht, weil sie den Preis zu stark bewegen würde. Bleibt das {retryFor} lang so, wird sie erstattet.
      Warten Sie. Oft dauert das nur Minuten.
      Wenn sie erstattet wird, tauschen Sie einen kleineren Betrag.`,
  dca_starting: `{Payment} ist angekommen und wird in {chunksAll} Teilen in {destination} getauscht.
      {goesOn}
      {unlessPrice}`,
  dca_between_chunks:
    `{chunksDone} von {chunksAll} Teilen wurden in {destination} getauscht: {swapped}. Es fehlen noch: {remaining}. Das Geld wird nach dem letzten Teil ausgezahlt.
      {goesOn}
      {unlessPrice}`,
  dca_waiting_for_price:
    `{chunksDone} von {chunksAll} Teilen wurden getauscht. Der nächste wartet auf den Mindestpreis. Bleibt das {retryFor} lang so, wird das Getauschte ausgezahlt und der Rest erstattet: {remaining}.
      Warten Sie. Der Mindestpreis lässt sich nicht ändern.`,
  payout_scheduled: `Der Tausch ist fertig. Das Geld wird an die Zieladresse gesendet.
      {goesOn}`,
  payout_sent: `Das Geld wurde an die Zieladresse gesendet. Bestätigungen stehen noch aus.
      {goesOn}`,
  payout_late: `Der Tausch ist fertig, aber das Senden des Geldes dauert länger als üblich.
      Warten Sie.
      {lookUp}`,
  refund_scheduled: `Ihre Zahlung wurde nicht getauscht. Sie wird erstattet.
      {goesOn}`,
  refund_sent:
    `Ihre Zahlung wurde nicht getauscht. Die Erstattung wurde gesendet. Bestätigungen stehen noch aus.
      {goesOn}`,
  refund_late: `Ihre Zahlung wurde nicht getauscht. Die Erstattung dauert länger als üblich.
      Warten Sie.
      {lookUp}`,
  both_payments_under_way:
    `Ein Teil Ihrer Zahlung wurde getauscht. An die Zieladresse unterwegs: {payout}. Der Rest wird erstattet: {refund}.
      {goesOn}`,
  fallback_under_way:
    `Das Geld konnte nicht wie geplant an die Zieladresse gesendet werden. Eine Ersatzauszahlung ist unterwegs: {fallback}.
      Warten Sie. Ihre Transaktion erscheint unten und zeigt, wohin sie ging.`,
  completed: `Das Geld wurde an die Zieladresse gezahlt.
      {another}`,
  completed_promised:
    `Abgeschlossen. Das Geld wurde an die Zieladresse gezahlt. Zugesagt war: {payout}. Es kann weniger sein, bis hinab zum Mindestpreis.
      Prüfen Sie in Ihrem Wallet oder in einem Explorer, was ankam.
      {another}`,
  refunded: `Ihre Zahlung wurde nicht getauscht. Sie wurde erstattet.
      {another}`,
  refunded_for_price:
    `Zum Marktpreis hätten Sie weniger als Ihr Minimum erhalten. Ihre Zahlung wurde stattdessen erstattet.
      {another}`,
  completed_rest_refunded:
    `Abgeschlossen. Genau an die Zieladresse gezahlt: {payout}. Der Überschuss wurde erstattet: {refund}.
      {another}`,
  refunded_partly: `Nur ein Teil wurde getauscht und ausgezahlt. Der Rest wurde erstattet.
      {another}`,
  late_deposit_refunded:
    `Ihre Zahlung kam nach {expiry} an, als die Adresse schon geschlossen war. Sie wurde nicht getauscht, sondern erstattet.
      Zahlen Sie beim nächsten Mal bald, nachdem Sie die neue Adresse erhalten haben.
      {another}`,
  deposit_too_small:
    `{smallPayment} Die Zahlung ist zu klein für einen Tausch und wird nicht automatisch erstattet.
      Senden Sie nichts nach. Eine zweite Zahlung ergänzt die erste nicht.
      Fragen? {AskHere}`,
  deposit_below_fees: `{Payment} deckt die Netzwerkgebühren nicht. Nichts wird ausgezahlt oder erstattet.
      {moneyBack}
      {payOnce}`,
  deposit_ignored: `{Payment} wurde nicht angenommen und nicht getauscht.
      {moneyBack}
      {payOnce}`,
  deposit_rejected: `{Payment} wurde nicht getauscht. {givenBack}
      {moneyBack}
      {payOnce}`,
  deposit_rejected_refunded: `{Payment} wurde nicht angenommen. Sie wurde erstattet.
      Zahlen Sie beim nächsten Mal von einem anderen Wallet. Meist liegt es am Absender.
      {another}`,
  deposit_under_review:
    `{Payment} wird festgehalten: Eine Adresse des Tauschs wurde gemeldet und wird geprüft.
      {moneyBack}
      {payOnce}`,
  refund_unproven:
    `Ihre Zahlung wurde nicht getauscht. Sie wurde als erstattet gemeldet, aber der Betrag ist unbekannt.
      Prüfen Sie in Ihrem Wallet oder in einem Explorer, was an der Erstattungsadresse ankam.
      Wenn es zu wenig ist: {askHere}`,
  refund_too_small: `{swappedPart} und was nach den Gebühren übrig bleibt, ist zu wenig für eine Erstattung.
      {moneyBack}
      {payOnce}`,
  refund_failed: `{swappedPart} und die Erstattung ist fehlgeschlagen: {refund}.
      {moneyBack}
      {payOnce}`,
  payout_too_small:
    `Ihre Zahlung wurde getauscht, aber das Ergebnis ist zu klein, um es an die Zieladresse zu senden. Es bleibt im Netzwerk: {payout}.{returnedPart}
      {moneyBack}
      {payOnce}`,
  payout_failed:
    `Ihre Zahlung wurde getauscht, aber das Senden an die Zieladresse ist fehlgeschlagen: {payout}.{returnedPart}
      {moneyBack}
      {payOnce}`,
  payout_callable:
    `Ihre Zahlung wurde getauscht, aber das Senden an die Zieladresse wurde vorbereitet und nicht ausgeführt: {payout}.
      Das Geld kann noch gesendet werden: {askHere}
      {payOnce}`,
  fallback_paid:
    `Das Geld konnte nicht wie geplant an die Zieladresse gesendet werden. Als Ersatz wurde ausgezahlt: {fallback}.
      Die Transaktion unten zeigt, wohin es ging.
      Wenn es nicht bei Ihnen ist: {askHere}
      {another}`,
  fallback_failed: `Das Geld konnte weder wie geplant noch als Ersatzauszahlung gesendet werden: {fallback}.
      {moneyBack}
      {payOnce}`,
  failed_unexplained: `Der Tausch ist fehlgeschlagen. Der Grund ist unbekannt.
      {moneyBack}
      {payOnce}`,
  deposit_stalled: `{Payment} ist zu sehen, aber ihre Bestätigung dauert viel länger als üblich.{usually}
      {lookPayment}
      {payOnce} {AskHere}`,
  swap_stalled:
    `{Payment} ist angekommen, aber der Tausch in {destination} dauert viel länger als üblich.{usually}
      {payOnce} {AskHere}`,
  payout_stalled: `Der Tausch ist fertig, aber das Senden des Geldes dauert viel länger als üblich.{usually}
      {lookUp}
      {payOnce} {AskHere}`,
  refund_stalled: `Ihre Zahlung wurde nicht getauscht, und die Erstattung dauert viel länger als üblich.
      {lookUp}
      {payOnce} {AskHere}`,
  provider_contradicts:
    `Der letzte Stand widerspricht früheren oder dem, was vereinbart wurde. Angezeigt wird der letzte, der stimmen kann.
      Senden Sie vorerst nichts.
      Wenn Sie gezahlt haben: {askHere}`,
  provider_not_followed: `Statusabfragen sind angehalten. Diese Seite ist vielleicht veraltet.
      {unheard}`,
  provider_silent: `Das Netzwerk ist gerade nicht erreichbar. Diese Seite ist vielleicht veraltet.
      {unheard}
      Wenn es so bleibt: {askHere}`,
})
