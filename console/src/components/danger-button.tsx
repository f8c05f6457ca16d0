import { Button, type ButtonProps } from '@mantine/core'
import classes from './danger-button.module.css'

type DangerButtonProps = Omit<ButtonProps, 'variant' | 'color' | 'className'> & {
  onClick: () => void
  'aria-label'?: string
}

/** A red button for `ConfirmAction`s that delete, remove or revoke something. */
export function DangerButton(props: DangerButtonProps) {
  return <Button variant="default" className={classes.danger} {...props} />
}
