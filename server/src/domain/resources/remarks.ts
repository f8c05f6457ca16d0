/** What people read beside a resource that cannot deliver. */
export const setupNotFinished = 'Setup is not finished'
export const botRemoved = 'The bot was removed from the chat, blocked, or may no longer write there'
