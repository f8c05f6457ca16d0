import { useRouter } from '@tanstack/react-router'
import { DangerButton } from '../../components/danger-button.tsx'
import { Section } from '../../components/page.tsx'
import { api, type Body } from '../../data/api.ts'
import { forgetSession } from '../../data/session.ts'
import { type OwnerProof, WithProof } from './with-proof.tsx'

export function DeleteSection({ security }: { security: Body<'getSecurity'> }) {
  const router = useRouter()
  const leave = async (body: OwnerProof) => {
    await api.deleteMe({ body })
    forgetSession()
    await router.navigate({ to: '/sign-in', search: {}, ignoreBlocker: true })
  }
  return (
    <Section
      title="Delete account"
      about="Your subscriptions, alerts, tokens and address book are deleted with it, and workspaces without other members, projects and sources. You cannot delete it while you are the only owner of another workspace."
    >
      <WithProof
        title="Delete your account?"
        text="This cannot be undone."
        verb="Delete account"
        security={security}
        act={leave}
      >
        {(open) => <DangerButton onClick={open}>Delete account</DangerButton>}
      </WithProof>
    </Section>
  )
}
