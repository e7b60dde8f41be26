import { phasesIn, phrasesIn } from "../translation.ts"

/** Phrases of several texts, and those that depend on a fact. */
export const phrases = phrasesIn({
  // What is told of the swap.
  source: "{sourceTicker} auf {sourceChain}",
  destination: "{destinationTicker} auf {destinationChain}",
  payment: { true: "Ihre Zahlung über {deposited}", false: "Ihre Zahlung" },
  expected: { true: "{expectedAmount}", false: "der genannte Betrag" },
  missing: { true: "die fehlenden {missingAmount}", false: "was noch fehlt" },
  payout: { true: "{payoutAmount}", false: "das Geld" },
  refund: { true: "{refundAmount}", false: "Ihre Zahlung" },
  fallback: { true: "{fallbackAmount}", false: "das Geld" },
  swapped: { true: "{swappedAmount}", false: "ein Teil" },
  remaining: { true: "{remainingAmount}", false: "der Rest" },
  confirmed: {
    none: "wie viele, ist nicht bekannt",
    wanted: "{confirmationsWanted} sind nötig",
    seen: "bisher {confirmationsSeen}",
    both: "{confirmationsSeen} von {confirmationsWanted}",
  },
  retryFor: {
    minute: "{retryNumber} Minute",
    minutes: "{retryNumber} Minuten",
    hours: "{retryNumber} Stunden",
  },
  another: {
    true:
      "Für einen weiteren Tausch fordern Sie dort, wo Sie diese Seite erhalten haben, eine neue Adresse an: Senden Sie nichts mehr an die alte.",
    false:
      "Für einen weiteren Tausch fordern Sie dort, wo Sie diese Seite erhalten haben, eine neue Transaktion an: Senden Sie diese nicht noch einmal.",
  },
  // What can be done.
  goesOn: "Sie müssen nichts tun.",
  payOnce: "Zahlen Sie nicht noch einmal.",
  askHere: "wenden Sie sich mit Ihrer Transaktions-ID an die App oder Website, von der Sie kommen.",
  moneyBack: "{AskHere} Wenn Geld zurückgeht, erscheint das hier von selbst.",
  newAddress: "fordern Sie dort, wo Sie diese Seite erhalten haben, eine neue Adresse an.",
  compareAddresses:
    "Bevor Sie zahlen, vergleichen Sie die Adressen, an die das Geld geht, mit Ihren eigenen: Danach kann sie niemand mehr ändern.",
  payAndWait:
    "Zahlen Sie nur einmal. Wenn Sie gezahlt haben, warten Sie. Erscheint hier lange nichts, sehen Sie in einem Explorer von {sourceChain} nach Ihrer Transaktion: Netzwerk, Währung, Betrag und Adresse müssen die dieser Seite sein. Sind sie es nicht, oder ändert sich nichts: {askHere}",
  lookUp: "Wenn hier eine Transaktion steht, sehen Sie in einem Explorer ihrer Chain nach.",
  lookPayment:
    "Sehen Sie in einem Explorer von {sourceChain} nach Ihrer Transaktion: Vielleicht ist ihre Gebühr zu niedrig, oder sie wurde ersetzt.",
  unlessPrice:
    "Was nicht zum vereinbarten Preis getauscht werden kann, geht an die Erstattungsadresse zurück.",
  late: {
    swapped: "Eine Zahlung, die jetzt kommt, wird noch getauscht.",
    refunded: "Eine Zahlung, die jetzt kommt, geht an die Erstattungsadresse zurück.",
    lost: "Eine Zahlung, die jetzt kommt, ist verloren.",
    untold: "Eine Zahlung, die jetzt kommt, kann verloren sein.",
  },
  soLate: {
    swapped: "Eine so späte Zahlung wird noch getauscht.",
    refunded: "Eine so späte Zahlung geht an die Erstattungsadresse zurück.",
    lost: "Eine so späte Zahlung ist verloren.",
    untold: "Eine so späte Zahlung kann verloren sein.",
  },
  sendRest: {
    true:
      "Senden Sie einmal {missing} an die Adresse, an die Sie gezahlt haben. Die Zahlung muss vor {expiry} in einem Block sein.",
    false:
      "Warten Sie, und senden Sie nichts mehr: Was nicht getauscht wird, geht an die Erstattungsadresse zurück.",
  },
  orWait: {
    true: "Oder warten Sie: Was nicht getauscht wird, geht an die Erstattungsadresse zurück.",
    false: "",
  },
  swappedPart: {
    true:
      "Ein Teil Ihrer Zahlung wurde getauscht. An die Zieladresse gezahlt: {payout}. Der Rest wurde nicht getauscht,",
    false: "Ihre Zahlung wurde nicht getauscht,",
  },
  givenBack: {
    by: "isRefundKnown",
    true: "Erstattet: {refund}. Vom Rest ist nichts bekannt.",
    false: "Es ist nicht bekannt, dass etwas an die Erstattungsadresse zurückging.",
  },
  returnedPart: { true: " Der Rest wurde erstattet: {refund}.", false: "" },
  unheard: {
    true: "{payOnce} Ihre Zahlung läuft trotzdem weiter und erscheint hier, sobald etwas bekannt wird.",
    false:
      "Zahlen Sie vorerst nicht. Wenn Sie gezahlt haben, läuft Ihre Zahlung trotzdem weiter und erscheint hier, sobald etwas bekannt wird.",
  },
})

/** Where a swap stands in each phase, then what can be done, a line each. */
export const phases = phasesIn({
  waiting_for_deposit:
    `Senden Sie die Zahlung so, wie diese Seite sie zeigt. Hier sehen Sie, wann sie angekommen ist: Das dauert so lange wie auf ihrer Chain üblich.
      {compareAddresses}
      {payAndWait}`,
  waiting_for_exact_deposit:
    `Senden Sie genau {exactAmount}, bis zur letzten Stelle, so wie diese Seite es zeigt: Ein anderer Betrag zählt nicht und ist verloren.
      {compareAddresses}
      {payAndWait}`,
  waiting_for_deposit_with_memo:
    `Senden Sie die Zahlung so, wie diese Seite sie zeigt, mit ihrem Memo: Ohne das Memo ist das Geld verloren.
      {compareAddresses}
      {payAndWait}
      Wenn Sie ohne das Memo gezahlt haben: {askHere}`,
  channel_closing:
    `Zum Zahlen ist es zu spät: Die Adresse nimmt Zahlungen nur bis {expiry} an, und eine jetzt gesendete ist bis dahin vielleicht in keinem Block.
      Zahlen Sie nicht mehr: {newAddress}
      Wenn Sie gezahlt haben, warten Sie. Die Zahlung erscheint hier, sobald sie zu sehen ist.`,
  channel_expired:
    `Bis {expiry} war keine Zahlung zu sehen, seitdem nimmt die Adresse keine mehr an. Senden Sie nichts mehr an sie. {late}
      {NewAddress}
      Wenn Sie gezahlt haben, sehen Sie in einem Explorer von {sourceChain} nach Ihrer Transaktion. War sie rechtzeitig in einem Block, erscheint sie noch hier. Sonst {askHere}`,
  provider_switched_off: `Zahlungen an diese Adresse sind vorerst angehalten. Bisher war keine zu sehen.
      Zahlen Sie nicht, bis diese Seite wieder um die Zahlung bittet. Wenn Sie nicht warten können: {newAddress}
      Wenn Sie gezahlt haben, warten Sie. Die Zahlung wird trotzdem verfolgt und erscheint hier.`,
  network_halted: `Zahlungen in {source} werden zurzeit nicht angenommen. Bisher war keine zu sehen.
      Zahlen Sie nicht, bis diese Seite wieder um die Zahlung bittet: So lange könnte Ihr Geld festliegen. Wenn Sie nicht warten können: {newAddress}
      Wenn Sie gezahlt haben, warten Sie. Die Zahlung wird angenommen, sobald das wieder geht, und erscheint hier.`,
  deposit_unnoticed: `{Payment} war zu sehen, wurde aber noch nicht angenommen.
      Warten Sie einige Minuten: Meist löst sich das von selbst. {payOnce}
      Wenn nicht: {askHere}`,
  deposit_seen: `{Payment} ist auf {sourceChain} eingegangen. Bestätigungen: {confirmed}.
      {goesOn} {payOnce}`,
  deposit_late:
    `{Payment} ist auf {sourceChain} zu sehen, wird aber langsamer bestätigt als üblich: {confirmed}.
      {lookPayment}
      Wenn Ihr Wallet die Gebühr der Transaktion erhöhen kann, tun Sie das. {payOnce}`,
  deposit_incomplete:
    `{Payment} ist angekommen. Das ist weniger als vereinbart: {expected}. So wenig wird vielleicht nicht getauscht.
      {sendRest}
      {orWait}`,
  deposit_confirmed: `{Payment} hat alle Bestätigungen und wird gleich getauscht.
      {goesOn} {payOnce}`,
  deposit_waits_for_network:
    `{Payment} war zu sehen, aber Zahlungen in {source} werden zurzeit nicht angenommen. Sie wartet, bis das wieder geht.
      Warten Sie: Danach geht es von selbst weiter. {payOnce}`,
  late_deposit_seen:
    `{Payment} war zu sehen, aber erst nach {expiry}, als die Adresse keine mehr annahm. {soLate}
      Warten Sie: Was daraus wird, erscheint hier.
      {another}`,
  boost_pending: `{Payment} war zu sehen und wird vielleicht schon vor ihren Bestätigungen getauscht.
      {goesOn} {payOnce}`,
  boost_skipped: `{Payment} war zu sehen und wird getauscht, sobald sie bestätigt ist: {confirmed}.
      {goesOn} {payOnce}`,
  swapping: `{Payment} ist angekommen und wird in {destination} getauscht.
      {goesOn}
      {unlessPrice}`,
  swapping_boosted:
    `{Payment} wurde schon vor ihren Bestätigungen angenommen und wird in {destination} getauscht.
      {goesOn}
      {unlessPrice}`,
  swap_late: `{Payment} wird in {destination} getauscht, was länger dauert als geschätzt.
      Warten Sie: Sie wird getauscht oder geht an die Erstattungsadresse zurück.`,
  swap_paused:
    `{Payment} ist angekommen, aber alle Tauschvorgänge sind aus Sicherheitsgründen angehalten. Getauscht wird, sobald es weitergeht.
      Warten Sie: Dann geht es von selbst weiter, und die vereinbarte Preisuntergrenze gilt weiterhin.`,
  swap_retrying: `{Payment} konnte beim ersten Versuch nicht getauscht werden und wird noch einmal versucht.
      {goesOn}
      {unlessPrice}`,
  swap_waits_for_network:
    `{Payment} ist angekommen, aber {destination} wird zurzeit nicht ausgezahlt. Der Tausch wartet, bis das wieder geht.
      Warten Sie: Danach geht es von selbst weiter.`,
  waiting_for_price:
    `{Payment} ist noch nicht getauscht: Der Markt liegt unter der vereinbarten Preisuntergrenze. Es wird {retryFor} lang weiter versucht, dann geht sie an die Erstattungsadresse zurück.
      Warten Sie: Getauscht wird, sobald der Markt die Grenze erreicht. Ändern lässt sie sich nicht mehr.`,
  waiting_for_liquidity:
    `{Payment} ist noch nicht getauscht: So viel auf einmal würde den Preis zu sehr bewegen. Es wird {retryFor} lang weiter versucht, dann geht sie an die Erstattungsadresse zurück.
      Warten Sie: Oft löst sich das in Minuten von selbst.
      Wenn sie zurückgeht, tauschen Sie einen kleineren Betrag.`,
  dca_starting: `{Payment} ist angekommen und wird in {chunksAll} Teilen in {destination} getauscht.
      {goesOn}
      {unlessPrice}`,
  dca_between_chunks:
    `{chunksDone} von {chunksAll} Teilen sind in {destination} getauscht: {swapped}. Es bleiben: {remaining}. Das Geld wird nach dem letzten Teil ausgezahlt.
      {goesOn}
      {unlessPrice}`,
  dca_waiting_for_price:
    `{chunksDone} von {chunksAll} Teilen sind getauscht. Der nächste wartet, weil der Markt unter der vereinbarten Preisuntergrenze liegt: Er wird {retryFor} lang weiter versucht. Gelingt das nicht, wird das Getauschte ausgezahlt, und das Übrige geht an die Erstattungsadresse zurück: {remaining}.
      Warten Sie: Die Preisgrenze lässt sich nicht mehr ändern.`,
  payout_scheduled: `Der Tausch ist fertig. An die Zieladresse wird gesendet: {payout}.
      {goesOn}`,
  payout_sent: `An die Zieladresse gesendet: {payout}. Die Zahlung wartet auf ihre Bestätigungen.
      {goesOn}`,
  payout_late:
    `Der Tausch ist fertig, aber das Senden an die Zieladresse dauert länger als geschätzt: {payout}.
      Warten Sie. {lookUp}`,
  refund_scheduled: `Ihre Zahlung wurde nicht getauscht. An die Erstattungsadresse wird gesendet: {refund}.
      {goesOn}`,
  refund_sent:
    `Ihre Zahlung wurde nicht getauscht. An die Erstattungsadresse gesendet: {refund}. Die Zahlung wartet auf ihre Bestätigungen.
      {goesOn}`,
  refund_late:
    `Ihre Zahlung wurde nicht getauscht. Das Senden an die Erstattungsadresse dauert länger, als es sollte: {refund}.
      Warten Sie. {lookUp}`,
  both_payments_under_way:
    `Ein Teil Ihrer Zahlung wurde getauscht. An die Zieladresse geht: {payout}. An die Erstattungsadresse geht der Rest: {refund}.
      {goesOn}`,
  fallback_under_way:
    `Das Geld konnte nicht wie geplant an die Zieladresse gesendet werden. Auf anderem Weg wird gesendet: {fallback}.
      Warten Sie: Die Transaktion erscheint hier, sobald es sie gibt, und sagt, wohin das Geld ging.`,
  completed: `Abgeschlossen. An die Zieladresse gezahlt: {payout}.
      {another}`,
  completed_promised:
    `Abgeschlossen: Das Geld wurde an die Zieladresse gezahlt. Wie viel ankam, ist nicht bekannt. Zugesagt war: {payout}. Es kann weniger sein, bis zur vereinbarten Preisuntergrenze.
      Sehen Sie in Ihrem Wallet oder in einem Explorer der Chain nach, was ankam.
      {another}`,
  refunded: `Ihre Zahlung wurde nicht getauscht. Erstattet: {refund}.
      {another}`,
  refunded_for_price:
    `Ihre Zahlung wurde nicht getauscht, weil der Markt unter der vereinbarten Preisuntergrenze blieb. Erstattet: {refund}.
      {another}`,
  completed_rest_refunded:
    `Abgeschlossen. Wie gewünscht an die Zieladresse gezahlt: {payout}. Was dafür nicht gebraucht wurde, wurde erstattet: {refund}.
      {another}`,
  refunded_partly:
    `Nur ein Teil wurde getauscht ({swapped}). An die Zieladresse gezahlt: {payout}. Der Rest wurde erstattet: {refund}.
      {another}`,
  late_deposit_refunded:
    `Ihre Zahlung kam nach {expiry}, als die Adresse keine mehr annahm, und wurde nicht getauscht. Erstattet: {refund}.
      Beim nächsten Mal zahlen Sie bald, nachdem Sie die neue Adresse erhalten haben.
      {another}`,
  deposit_too_small:
    `{Payment} wurde nicht beachtet: Sie ist kleiner als der kleinste Betrag, der getauscht wird. Sie geht nicht an die Erstattungsadresse zurück.
      Senden Sie nicht mehr: Zahlungen werden nicht zusammengezählt.
      {AskHere}`,
  deposit_below_fees:
    `{Payment} wurde angenommen, deckt aber die Gebühren des Netzwerks nicht. Es wird nichts ausgezahlt und nichts zurückgezahlt.
      {moneyBack}
      {payOnce}`,
  deposit_ignored: `{Payment} wurde nicht beachtet und nicht getauscht.
      {moneyBack}
      {payOnce}`,
  deposit_rejected: `{Payment} wurde nicht getauscht. {givenBack}
      {moneyBack}
      {payOnce}`,
  deposit_rejected_refunded: `{Payment} wurde abgelehnt. Erstattet: {refund}.
      Beim nächsten Mal zahlen Sie von einem anderen Wallet: Meist liegt es am Absender.
      {another}`,
  deposit_under_review:
    `{Payment} wird festgehalten: Eine Adresse des Tauschs wurde gemeldet und wird geprüft.
      {moneyBack}
      {payOnce}`,
  refund_unproven:
    `Ihre Zahlung wurde nicht getauscht. Sie soll an die Erstattungsadresse zurückgegangen sein. Wie viel davon, ist nicht bekannt.
      Sehen Sie in Ihrem Wallet oder in einem Explorer der Chain nach, was an der Erstattungsadresse ankam.
      Wenn es zu wenig ist: {askHere}`,
  refund_too_small:
    `{swappedPart} und was nach den Gebühren davon übrig ist, reicht nicht für eine Zahlung an die Erstattungsadresse.
      {moneyBack}
      {payOnce}`,
  refund_failed: `{swappedPart} und das Senden an die Erstattungsadresse ist fehlgeschlagen: {refund}.
      {moneyBack}
      {payOnce}`,
  payout_too_small:
    `Ihre Zahlung wurde getauscht, aber das Ergebnis ist zu klein, um es an die Zieladresse zu senden, und bleibt im Netzwerk: {payout}.{returnedPart}
      {moneyBack}
      {payOnce}`,
  payout_failed:
    `Ihre Zahlung wurde getauscht, aber das Senden an die Zieladresse ist fehlgeschlagen: {payout}.{returnedPart}
      {moneyBack}
      {payOnce}`,
  payout_callable:
    `Ihre Zahlung wurde getauscht, aber das Senden an die Zieladresse wurde vorbereitet und nicht ausgeführt: {payout}.
      Das lässt sich noch nachholen: {askHere}
      {payOnce}`,
  fallback_paid:
    `Das Geld konnte nicht wie geplant an die Zieladresse gesendet werden. Auf anderem Weg gezahlt: {fallback}.
      Die Transaktion auf dieser Seite sagt, wohin es ging.
      Wenn es nicht bei Ihnen ist: {askHere}
      {another}`,
  fallback_failed: `Das Geld konnte weder wie geplant noch auf anderem Weg gesendet werden: {fallback}.
      {moneyBack}
      {payOnce}`,
  failed_unexplained: `Der Tausch ist fehlgeschlagen, und der Grund ist nicht bekannt.
      {moneyBack}
      {payOnce}`,
  deposit_stalled:
    `{Payment} war zu sehen, wird aber seit viel längerer Zeit nicht angenommen, als das dauern darf.
      {lookPayment}
      {payOnce} {AskHere}`,
  swap_stalled:
    `{Payment} ist angekommen, wird aber seit viel längerer Zeit in {destination} getauscht, als das dauern darf.
      {payOnce} {AskHere}`,
  payout_stalled:
    `Der Tausch ist fertig, aber das Senden an die Zieladresse dauert viel länger, als es darf: {payout}.
      {lookUp}
      {AskHere}`,
  refund_stalled:
    `Ihre Zahlung wurde nicht getauscht, und das Senden an die Erstattungsadresse dauert viel länger, als es darf: {refund}.
      {lookUp}
      {AskHere}`,
  provider_contradicts:
    `Was über diesen Tausch gemeldet wird, widerspricht sich selbst oder dem, was vereinbart wurde. Diese Seite zeigt den letzten Stand, der stimmen kann.
      Senden Sie vorerst nichts.
      Wenn Sie gezahlt haben: {askHere}`,
  provider_not_followed:
    `Nach diesem Tausch wird zurzeit nicht gesehen. Diese Seite zeigt, was vorher bekannt war.
      {unheard}`,
  provider_silent:
    `Von diesem Tausch ist zurzeit nichts zu erfahren, obwohl immer wieder nachgesehen wird. Diese Seite zeigt, was vorher bekannt war.
      {unheard}
      Wenn es so bleibt: {askHere}`,
})
