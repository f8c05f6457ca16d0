import { Button, Group, Stack, Text } from '@mantine/core'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Section } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { api, type Body, type Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { useApiList } from '../../data/lists.ts'
import { useApiQuery } from '../../data/queries.ts'
import { hasWallet, signMessage } from './wallet.ts'
import { type OwnerProof, RemoveSignIn, WithProof } from './with-proof.tsx'

type Identity = Item<'listIdentities'>
type Security = Body<'getSecurity'>

/** The wallets and the identity provider that sign in to the account. */
export function IdentitiesSection({ security }: { security: Security }) {
  const { items, isLoading, error } = useApiList('listIdentities', {})
  return (
    <Section title="Linked sign-ins" about="Wallets and identity providers that sign in to this account.">
      <Stack gap="md">
        <ErrorNotice error={error} />
        {!isLoading && !error && items.length === 0 && <Text size="sm">Nothing is linked.</Text>}
        {items.map((identity) => (
          <IdentityRow key={identity.id} identity={identity} security={security} />
        ))}
        <LinkOptions security={security} />
      </Stack>
    </Section>
  )
}

function IdentityRow({ identity, security }: { identity: Identity; security: Security }) {
  const { id, kind, issuer, subject, createdAt } = identity
  const remove = useChange('deleteIdentity', { notice: 'Linked sign-in removed.' })
  const name = kind === 'wallet' ? subject : `${subject} at ${issuer}`
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <div>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="sm" c="dimmed" component="div">
          Linked <RelativeTime at={createdAt} />
        </Text>
      </div>
      <RemoveSignIn
        name={name}
        title="Remove this linked sign-in?"
        text={`${name} no longer signs you in.`}
        verb="Remove"
        security={security}
        act={(body) => remove.mutateAsync({ id, body })}
      />
    </Group>
  )
}

function LinkOptions({ security }: { security: Security }) {
  const { data: offered } = useApiQuery('getSignInMethods', {})
  const link = useChange('linkWallet', { notice: 'Wallet linked.' })
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {offered?.oidc && (
          <WithProof
            title="Link your organisation?"
            text="You sign in there next. Then it signs you in to this account."
            verb="Go to your organisation"
            security={security}
            isDestructive={false}
            act={visitProvider}
          >
            {(open) => (
              <Button variant="default" onClick={open}>
                Link your organisation
              </Button>
            )}
          </WithProof>
        )}
        {hasWallet() && (
          <WithProof
            title="Link a wallet?"
            text="Your wallet asks you to sign a message. Then it signs you in to this account."
            verb="Sign with the wallet"
            security={security}
            isDestructive={false}
            act={async (proof) => link.mutateAsync({ body: { ...(await signMessage()), ...proof } })}
          >
            {(open) => (
              <Button variant="default" onClick={open}>
                Link a wallet
              </Button>
            )}
          </WithProof>
        )}
      </Group>
      {!hasWallet() && <Text size="sm">To link a wallet, install one in this browser.</Text>}
    </Stack>
  )
}

async function visitProvider(proof: OwnerProof): Promise<void> {
  const { url } = await api.linkIdentity({ body: { ...proof, next: '/account' } })
  window.location.assign(url)
}
