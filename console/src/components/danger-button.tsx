import { Button, type ButtonProps } from '@mantine/core'
import classes from './danger-button.module.css'

type DangerButtonProps = Omit<ButtonProps, 'variant' | 'color' | 'className'> & {
  onClick: () => void
  'aria-label'?: string
}

/** Opens the question of a `ConfirmAction` that deletes, removes or revokes something: red, so that nobody takes it for another button. */
export function DangerButton(props: DangerButtonProps) {
  return <Button variant="default" className={classes.danger} {...props} />
}
