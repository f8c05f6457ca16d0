import { notifications } from '@mantine/notifications'

const closing = { 'aria-label': 'Dismiss' }

/** A short word that something worked. */
export function say(message: string): void {
  notifications.show({ message, color: 'verdigris', autoClose: 4_000, closeButtonProps: closing })
}

export function warn(message: string): void {
  notifications.show({ message, color: 'red', autoClose: 8_000, closeButtonProps: closing })
}
