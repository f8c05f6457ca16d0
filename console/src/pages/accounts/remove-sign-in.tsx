import type { ComponentProps } from 'react'
import { DangerButton } from '../../components/danger-button.tsx'
import { WithPassword } from './with-password.tsx'

type RemoveSignInProps = Omit<ComponentProps<typeof WithPassword>, 'children'> & {
  /** What the button removes, for screen readers. */
  name: string
}

/** The button that removes one way to sign in. */
export function RemoveSignIn({ name, ...question }: RemoveSignInProps) {
  return (
    <WithPassword {...question}>
      {(open) => (
        <DangerButton size="xs" onClick={open} aria-label={`Remove ${name}`}>
          Remove
        </DangerButton>
      )}
    </WithPassword>
  )
}
