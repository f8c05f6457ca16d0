import { notifications } from '@mantine/notifications'

const closing = { 'aria-label': 'Dismiss' }

/** A short message that an action succeeded. */
export function notifySuccess(message: string): void {
  notifications.show({ message, color: 'verdigris', autoClose: 4_000, closeButtonProps: closing })
}

export function notifyError(message: string): void {
  notifications.show({ message, color: 'red', autoClose: 8_000, closeButtonProps: closing })
}
