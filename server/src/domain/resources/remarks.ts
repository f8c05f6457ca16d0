/** The remarks of resources that cannot deliver. */
export const setupNotFinished = 'Setup is not finished'
export const botRemoved = 'The bot was removed from the chat, blocked, or may no longer write there'
export const noMailServer = 'E-mail cannot be sent: the operator has not set SMTP_URL. Save again once it is set'
export const waitingForConfirmation =
  'Not confirmed: open the link in the e-mail that was sent to this address. Saving sends another one'
export const confirmationNotSent = 'Not confirmed: the confirmation e-mail could not be sent. Save again to retry'
export const confirmationPostponed =
  'Not confirmed: too many confirmation e-mails were sent. Open the link in the last one, or save again later'
