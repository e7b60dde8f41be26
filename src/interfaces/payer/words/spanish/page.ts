import { pageIn, warningsIn } from "../translation.ts"

/** The words of the page itself. */
export const page = pageIn({
  // The parts that every page has.
  skip: "Ir al contenido",
  title: "Cambiar {source} por {destination}",
  help: "Ayuda: {place}",
  backToShop: "Volver a {merchant}",
  runBy: "Esta página es de {host}.",
  swapNumber: "Intercambio {number}",
  nobodyWrites: "Nunca escribimos primero.",
  beware: "Quien lo haga, o le pida sus palabras de recuperación o un segundo pago, es un estafador.",
  fresh: "Esta página se actualiza automáticamente.",
  noScript: "Sin JavaScript, {again} antes de pagar.",
  loadAgain: "vuelva a cargarla",
  asOf: "A fecha de {time}.",
  stale:
    "Esta página no se puede actualizar ahora y quizá no esté al día. No pague hasta que se actualice. Lo sigue intentando.",
  languages: "Idiomas",
  testnet: "Red de pruebas",
  sandbox: "Sandbox: sin dinero real",
  copy: "Copiar",
  copyWhat: "Copiar {what}",
  copied: "Copiado",
  copyRefused: "El navegador no permitió copiar",
  ago: "hace {time}",
  ahead: "en {time}",
  now: "ahora",
  day: "día",
  days: "días",
  yourTime: "hora local",
  // How far a swap is, in the few words of a badge.
  waiting: "A la espera de su pago",
  stop: "No pague",
  expired: "Caducado",
  seen: "Pago recibido",
  swapping: "Cambiando",
  delayed: "Con retraso",
  sending: "En camino",
  returning: "En camino",
  done: "Completado",
  refunded: "Reembolsado",
  failed: "Fallido",
  // What the page begins with.
  sendExactly: "Envíe exactamente",
  sendAtMost: "Envíe como máximo",
  sendAny: "Envíe cuanto quiera cambiar",
  doNotPay: "No pague",
  tooLate: "Demasiado tarde para pagar",
  yourPayment: "Su pago",
  toYou: "En camino hacia usted",
  backToYou: "Reembolso en camino",
  youReceived: "Ha recibido",
  youGotBack: "Reembolsado",
  // What to pay.
  within: "En un plazo de {time}",
  until: "Debe estar en un bloque antes de {time}. Los pagos posteriores pueden perderse.",
  toAddress: "A esta dirección de {chain}",
  theAddress: "la dirección",
  theAmount: "el importe",
  qr: "Código QR del pago",
  openWallet: "Abrir en un monedero",
  token: "Token",
  theToken: "el contrato del token",
  memo: "Con el memo",
  theMemo: "el memo",
  atLeast: "Como mínimo",
  atMost: "Como máximo",
  comesBack: "Reembolso",
  surplus: "lo que el intercambio no necesite",
  surplusLess: "lo que el intercambio no necesite, menos {fee}",
  nextStep: "Próximo paso previsto {time}",
  // What comes out.
  receive: "Usted recibe",
  receiveAbout: "Usted recibe unos",
  receiveExactly: "Usted recibe exactamente",
  getBack: "Usted recupera",
  addresses: "Direcciones",
  orBack: "{amount}, o un reembolso",
  to: "A",
  theDestination: "la dirección de destino",
  backTo: "Dirección de reembolso",
  backToNote: "No es la dirección desde la que paga.",
  theRefund: "la dirección de reembolso",
  takes: "Tarda",
  takesAbout: "unos {time} desde su pago",
  fees: "Comisiones",
  feesIn: "incluidas, salvo la de su monedero",
  // What happens.
  steps: "Qué ocurre",
  paid: "Pagado",
  confirmed: "Confirmado",
  swapped: "Cambiado",
  notSwapped: "No cambiado",
  sent: "Enviado",
  youSend: "Usted envía {amount}",
  refused: "El pago no se aceptó",
  untold: "Importe desconocido",
  confirmations: "{seen} de {wanted} confirmaciones",
  toConfirm: "{wanted} confirmaciones en {chain}",
  toBeConfirmed: "Confirmado en {chain}",
  toSwap: "Cambiado a {ticker} y enviado a usted",
  beingSwapped: "Cambiando a {ticker}",
  parts: "{done} de {all} partes cambiadas",
  payout: "Pago a la dirección de destino",
  refund: "Reembolso",
  fallback: "Pago a otra dirección",
  onItsWay: "{payment}: en camino",
  notSent: "{payment}: no se pudo enviar",
  promised: "importe prometido; la transacción muestra lo que llegó",
  transaction: "Transacción",
  strangers:
    "Cuidado con los estafadores. El soporte nunca escribe primero, ni pide palabras de recuperación o claves, ni exige un pago para liberar un intercambio.",
  lookAt: "Ver en {explorer}",
  // Pages that show no swap.
  unknownTitle: "Este enlace no funciona",
  unknown:
    "Quizá el enlace esté incompleto o haya caducado. Pida uno nuevo donde lo obtuvo. No pague sin él.",
  oftenTitle: "Demasiadas peticiones",
  often:
    "Esta página se cargó demasiadas veces. Espere un minuto y vuelva a cargarla. No pague hasta que vuelva.",
  faultTitle: "Esta página no se puede mostrar ahora",
  fault:
    "Vuelva a cargarla en un minuto. No pague hasta que vuelva. Si sigue así, pregunte donde obtuvo el enlace.",
  trace: "Id. de traza: {id}",
})

/** What payers have to mind. */
export const warnings = warningsIn({
  testnet: "Esta es una red de pruebas: no envíe dinero real.",
  sandbox: "Esto es una simulación: no envíe dinero real, se perdería.",
  over: "Esta dirección ya no acepta pagos: lo que llegue ahora puede perderse. Pida una nueva.",
  stopped: "No pague por ahora: los pagos a esta dirección están detenidos, o quizá lleguen tarde.",
  outOfReach:
    "El precio mínimo de este intercambio, {limit}, está por encima del mejor precio conocido, {best}. Si el precio no sube a tiempo, no se intercambia nada y el depósito se devuelve, menos comisiones.",
  coinOnly: "Envíe solo {ticker} en {chain}: cualquier otra cosa, o lo mismo en otra cadena, puede perderse.",
  tokenOnly:
    "Envíe solo {ticker} en {chain}, el token {contract}: cualquier otra cosa, o lo mismo en otra cadena, puede perderse.",
  memo:
    "La transacción tiene que llevar el memo, carácter por carácter: sin él el dinero se pierde. Ni un enlace ni un código pueden llevarlo, por eso no los hay. No pague desde un monedero o una bolsa que no pueda añadirlo.",
  ofProgram:
    "{address} no es la dirección de un monedero en Solana: puede ser una bóveda multifirma, que acepta {ticker}, o una cuenta de token, donde {ticker} puede perderse. Compruébelo con su titular.",
  noTag:
    "El resultado se paga a su cuenta sin etiqueta (tag): la cuenta de una bolsa necesita una y no lo abonaría.",
  exactAmount:
    "Envíe exactamente {amount}, hasta la última cifra: cualquier otro importe puede perderse. Cuidado con los servicios que descuentan su comisión de lo que envían.",
  exactOutput:
    "Envíe {most}: lo que el intercambio no necesite vuelve menos {fee}; si no es más que eso, se retiene. Menos de {least} no se cambia, y vuelve de la misma manera.",
  exactOutputUntold:
    "Envíe {most}: lo que el intercambio no necesite vuelve menos la comisión de su cadena; si no la cubre, se retiene. Menos de {least} no se cambia, y vuelve de la misma manera.",
  minimum: "Envíe al menos {amount} en un solo pago: menos no se cambia, y puede perderse.",
  maximum: "No se cambian más de {amount} de una vez.",
  inTime: "Pague con tiempo: el pago tiene que estar en su cadena antes de {time}, y después puede perderse.",
  contractShown:
    "El enlace llama al contrato del token: un monedero puede mostrar la dirección del contrato en lugar de la dirección de pago. Compare la dirección de pago antes de firmar.",
  ordinaryWallet:
    "Pague desde un monedero corriente: un pago hecho por un contrato, como un monedero de contrato inteligente, quizá no se note.",
  tronLink: "Ningún estándar define enlaces para Tron: compruebe la dirección y el importe, o cópielos.",
  unwritable: "No hay enlace, porque no puede llevar esta dirección: copie la dirección.",
  noScheme: "Los monederos no tienen un enlace común para esta cadena: copie la dirección.",
  otherNetwork: "No hay enlace, porque no podría indicar la red de pruebas: copie la dirección.",
  noContract: "No hay enlace, porque no se conoce el contrato del token: copie la dirección.",
  noTokenAmount:
    "No hay enlace, porque el de un token necesita un importe y no se conoce ninguno: copie la dirección.",
  tokenAccount:
    "Envíe el token a esta misma dirección: su monedero encuentra o crea la cuenta de la dirección para el token. No hay enlace, porque no todos los monederos lo hacen con uno.",
  tronToken: "No hay enlace, porque muchos monederos enviarían TRX en lugar del token: copie la dirección.",
})
