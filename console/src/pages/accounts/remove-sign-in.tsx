import type { ComponentProps } from 'react'
import { DangerButton } from '../../components/danger-button.tsx'
import { WithProof } from './with-proof.tsx'

type RemoveSignInProps = Omit<ComponentProps<typeof WithProof>, 'children'> & {
  /** What the button removes, for screen readers. */
  name: string
}

/** The button that removes one way to sign in. */
export function RemoveSignIn({ name, ...question }: RemoveSignInProps) {
  return (
    <WithProof {...question}>
      {(open) => (
        <DangerButton size="xs" onClick={open} aria-label={`Remove ${name}`}>
          Remove
        </DangerButton>
      )}
    </WithProof>
  )
}
