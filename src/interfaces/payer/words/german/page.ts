import { pageIn, warningsIn } from "../translation.ts"

/** The words of the page itself. */
export const page = pageIn({
  // The parts that every page has.
  skip: "Zum Inhalt springen",
  title: "{source} in {destination} tauschen",
  help: "Hilfe: {place}",
  backToShop: "Zurück zu {merchant}",
  runBy: "Diese Seite betreibt {host}.",
  nobodyWrites: "Wir schreiben nie zuerst.",
  beware:
    "Wer Sie anschreibt oder Wiederherstellungswörter oder eine zweite Zahlung verlangt, ist ein Betrüger.",
  noScript: "Ohne JavaScript: vor dem Zahlen {again}. Stand {time}.",
  loadAgain: "neu laden",
  stale:
    "Diese Seite lässt sich gerade nicht aktualisieren und ist vielleicht veraltet. Zahlen Sie erst, wenn sie wieder aktuell ist. Sie versucht es weiter.",
  languages: "Sprachen",
  testnet: "Testnetz",
  sandbox: "Sandbox: kein echtes Geld",
  copy: "Kopieren",
  copyWhat: "{what} kopieren",
  copied: "Kopiert",
  copyRefused: "Der Browser hat das Kopieren nicht erlaubt",
  ago: "vor {time}",
  ahead: "in {time}",
  now: "jetzt",
  day: "Tag",
  days: "Tagen",
  yourTime: "Ihrer Zeit",
  // How far a swap is, in the few words of a badge.
  waiting: "Zahlung offen",
  stop: "Nicht zahlen",
  expired: "Abgelaufen",
  seen: "Zahlung eingegangen",
  swapping: "Wird getauscht",
  delayed: "Verzögert",
  sending: "Unterwegs",
  returning: "Unterwegs",
  done: "Abgeschlossen",
  refunded: "Erstattet",
  partly: "Teilweise erstattet",
  failed: "Fehlgeschlagen",
  // What the page begins with.
  sendExactly: "Senden Sie genau",
  sendAtMost: "Senden Sie höchstens",
  sendAny: "Senden Sie, so viel Sie tauschen möchten",
  tooLate: "Zahlungsfrist abgelaufen",
  yourPayment: "Ihre Zahlung",
  youReceived: "Sie haben erhalten",
  youGotBack: "Erstattet",
  tooSmall: "Zahlung zu klein",
  notAccepted: "Zahlung nicht angenommen",
  refundFailed: "Erstattung fehlgeschlagen",
  payoutFailed: "Auszahlung fehlgeschlagen",
  swapFailed: "Tausch fehlgeschlagen",
  // What to pay.
  within: "Zahlen Sie innerhalb von {time}",
  until: "· bis {time}. Spätere Zahlungen können verloren gehen.",
  checkFirst: "Zahlen Sie nur einmal. Prüfen Sie zuerst Ihre Adressen unten.",
  toAddress: "An diese {chain}-Adresse",
  theAddress: "Adresse",
  theAmount: "Betrag",
  qr: "QR-Code der Zahlung",
  openWallet: "Im Wallet öffnen",
  token: "Token",
  theToken: "Contract des Tokens",
  memo: "Mit dem Memo",
  theMemo: "Memo",
  atLeast: "Mindestens",
  comesBack: "Erstattung",
  surplus: "was der Tausch nicht braucht",
  surplusLess: "was der Tausch nicht braucht, abzüglich {fee}",
  nextStep: "Nächster Schritt erwartet {time}",
  nextConfirmed: "Bestätigung erwartet {time}",
  contact: "{name} kontaktieren",
  alreadyPaid: "Ich habe schon gezahlt – {name} kontaktieren",
  newSwap: "Neuer Tausch in {merchant}",
  // What comes out.
  receive: "Sie erhalten",
  receiveAbout: "Sie erhalten etwa",
  receiveExactly: "Sie erhalten genau",
  getBack: "Sie erhalten zurück",
  youSent: "Sie haben gesendet",
  minimum: "Mindestens",
  networkFee: "Netzgebühren",
  swapId: "Tausch-ID",
  orBack: "{amount}, sonst Erstattung",
  expiredAddress: "Abgelaufene Adresse",
  andRefunded: "und {amount} erstattet",
  noMinimum: "Nicht garantiert: Es kann weniger sein als gezeigt.",
  to: "Zieladresse",
  backTo: "Erstattung an",
  backToNote: "Erstattungen gehen hierhin, nicht an die Adresse, von der Sie zahlen.",
  takes: "Dauer",
  takesAbout: "Etwa {time} ab Ihrer Zahlung",
  fees: "Gebühren",
  feesIn: "Enthalten, außer der Gebühr Ihres Wallets.",
  // What happens.
  steps: "Was geschieht",
  stepsOver: "Was geschehen ist",
  paid: "Bezahlt",
  confirming: "Wird bestätigt",
  confirmed: "Bestätigt",
  swapped: "Getauscht",
  notSwapped: "Nicht getauscht",
  partlySwapped: "Teilweise getauscht",
  paying: "Wird ausgezahlt",
  sent: "Ausgezahlt",
  refunding: "Wird erstattet",
  notRefunded: "Nicht erstattet",
  youSend: "Sie senden {amount}",
  refused: "Nicht angenommen",
  confirmations: "Wird bestätigt {seen}/{wanted}",
  toConfirm: "{wanted} Bestätigungen auf {chain}",
  toSwap: "In {ticker} getauscht und an Sie gesendet",
  parts: "{done} von {all} Teilen getauscht",
  fallback: "Andere Auszahlung",
  notSent: "Nicht ausgezahlt",
  promised: "Zugesagter Betrag. Die Transaktion zeigt, was ankam.",
  merchant: "die App oder Website, von der Sie kommen",
  theTransaction: "Transaktions-ID",
  lookAt: "{hash} auf {explorer}",
  // Pages that show no swap.
  unknownTitle: "Dieser Link funktioniert nicht",
  unknown:
    "Der Link ist vielleicht unvollständig oder abgelaufen. Fordern Sie dort, wo Sie ihn erhalten haben, einen neuen an. Zahlen Sie nicht ohne ihn.",
  oftenTitle: "Zu viele Anfragen",
  often:
    "Diese Seite wurde zu oft geladen. Warten Sie eine Minute, und laden Sie sie neu. Zahlen Sie erst, wenn sie wieder da ist.",
  faultTitle: "Diese Seite kann jetzt nicht gezeigt werden",
  fault:
    "Laden Sie die Seite in einer Minute neu. Zahlen Sie erst, wenn sie wieder da ist. Wenn es so bleibt, fragen Sie dort, wo Sie den Link erhalten haben.",
  trace: "Trace-ID: {id}",
})

/** What payers have to mind. */
export const warnings = warningsIn({
  testnet: "Dies ist ein Testnetz: Senden Sie kein echtes Geld.",
  sandbox: "Dies ist eine Simulation: Senden Sie kein echtes Geld, es wäre verloren.",
  over:
    "Diese Adresse nimmt keine Zahlungen mehr an: Was jetzt kommt, kann verloren sein. Fordern Sie eine neue an.",
  stopped:
    "Zahlen Sie vorerst nicht: Zahlungen an diese Adresse sind angehalten oder kommen vielleicht zu spät.",
  outOfReach:
    "Der Mindestpreis dieses Tauschs, {limit}, liegt über dem besten bekannten Preis, {best}. Steigt der Preis nicht rechtzeitig, wird nichts getauscht, und die Einzahlung geht abzüglich Gebühren zurück.",
  coinOnly: "Senden Sie nur {ticker} und nur auf {chain}. Alles andere kann verloren gehen.",
  tokenOnly:
    "Senden Sie nur {ticker} und nur auf {chain}, den Token {contract}. Alles andere kann verloren gehen.",
  memo:
    "Die Transaktion muss das Memo tragen, Zeichen für Zeichen: Ohne es ist das Geld verloren. Weder ein Link noch ein Code kann es tragen, darum gibt es keinen. Zahlen Sie nicht von einem Wallet oder einer Börse, die kein Memo mitsenden kann.",
  ofProgram:
    "{address} ist keine Wallet-Adresse auf Solana: Es kann ein Multisignatur-Tresor sein, der {ticker} annimmt, oder ein Token-Konto, auf dem {ticker} verloren sein kann. Klären Sie das mit dem Inhaber.",
  noTag:
    "Ausgezahlt wird ohne Tag: Das Konto einer Börse braucht einen und würde den Betrag nicht gutschreiben.",
  exactAmount:
    "Senden Sie genau {amount}, bis zur letzten Stelle: Jeder andere Betrag kann verloren sein. Achten Sie auf Dienste, die ihre Gebühr vom gesendeten Betrag abziehen.",
  exactOutput:
    "Senden Sie {most}: Was der Tausch davon nicht braucht, kommt abzüglich {fee} zurück; ist es nicht mehr als das, wird es einbehalten. Weniger als {least} wird nicht getauscht und kommt ebenso zurück.",
  exactOutputUntold:
    "Senden Sie {most}: Was der Tausch davon nicht braucht, kommt abzüglich der Gebühr seiner Chain zurück; deckt es diese nicht, wird es einbehalten. Weniger als {least} wird nicht getauscht und kommt ebenso zurück.",
  minimum:
    "Senden Sie mindestens {amount} in einer Zahlung: Weniger wird nicht getauscht und kann verloren sein.",
  maximum: "Mehr als {amount} wird nicht auf einmal getauscht.",
  inTime:
    "Zahlen Sie rechtzeitig: Die Zahlung muss vor {time} auf ihrer Chain sein und kann danach verloren sein.",
  contractShown:
    "Der Link ruft den Contract des Tokens auf: Ein Wallet zeigt vielleicht dessen Adresse statt der Zahlungsadresse. Vergleichen Sie die Zahlungsadresse, bevor Sie unterschreiben.",
  ordinaryWallet:
    "Zahlen Sie nicht von einem Contract, etwa einem Smart-Contract-Wallet: Solche Zahlungen werden womöglich nicht erkannt.",
  tronLink:
    "Für Links gibt es bei Tron keinen Standard: Prüfen Sie Adresse und Betrag, oder kopieren Sie sie.",
  unwritable: "Es gibt keinen Link, weil er diese Adresse nicht tragen kann: Kopieren Sie die Adresse.",
  noScheme: "Für diese Chain haben Wallets keinen gemeinsamen Link: Kopieren Sie die Adresse.",
  otherNetwork: "Es gibt keinen Link, weil er das Testnetz nicht nennen könnte: Kopieren Sie die Adresse.",
  noContract:
    "Es gibt keinen Link, weil der Contract des Tokens nicht bekannt ist: Kopieren Sie die Adresse.",
  noTokenAmount:
    "Es gibt keinen Link, weil der eines Tokens einen Betrag braucht und keiner bekannt ist: Kopieren Sie die Adresse.",
  tokenAccount:
    "Senden Sie den Token an genau diese Adresse: Ihr Wallet findet oder erstellt ihr Konto für den Token. Es gibt keinen Link, weil nicht jedes Wallet das bei einem Link tut.",
  tronToken:
    "Es gibt keinen Link, weil viele Wallets TRX statt des Tokens senden würden: Kopieren Sie die Adresse.",
})
