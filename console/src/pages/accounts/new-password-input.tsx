import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** The field of a password that the user chooses. */
export function NewPasswordInput(props: PasswordInputProps) {
  return <PasswordInput description="At least 8 characters" autoComplete="new-password" {...props} />
}
