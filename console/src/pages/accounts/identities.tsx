import { Button, Group, Stack, Text } from '@mantine/core'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Section } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import type { Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { useApiList } from '../../data/lists.ts'
import { useApiQuery } from '../../data/queries.ts'
import { useForm } from '../../forms/use-form.ts'
import { RemoveSignIn } from './remove-sign-in.tsx'
import { hasWallet, signMessage } from './wallet.ts'

type Identity = Item<'listIdentities'>

/** The wallets and the identity provider that sign in to the account. */
export function IdentitiesSection({ hasPassword }: { hasPassword: boolean }) {
  const { items, isLoading, error } = useApiList('listIdentities', {})
  return (
    <Section title="Linked sign-ins" about="Wallets and identity providers that sign in to this account.">
      <Stack gap="md">
        <ErrorNotice error={error} />
        {!isLoading && !error && items.length === 0 && <Text size="sm">Nothing is linked.</Text>}
        {items.map((identity) => (
          <IdentityRow key={identity.id} identity={identity} hasPassword={hasPassword} />
        ))}
        <LinkOptions />
      </Stack>
    </Section>
  )
}

function IdentityRow({ identity, hasPassword }: { identity: Identity; hasPassword: boolean }) {
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
        hasPassword={hasPassword}
        act={(body) => remove.mutateAsync({ id, body })}
      />
    </Group>
  )
}

function LinkOptions() {
  const { data: offered } = useApiQuery('getSignInMethods', {})
  const link = useChange('linkWallet', { notice: 'Wallet linked.' })
  const form = useForm({ initial: {}, save: async () => link.mutateAsync({ body: await signMessage() }) })
  return (
    <Stack gap="sm">
      <ErrorNotice error={form.failure} />
      <Group gap="xs">
        {offered?.oidc && (
          <Button component="a" variant="default" href="/api/auth/oidc?link=1&next=/account">
            Link your organisation
          </Button>
        )}
        {hasWallet() && (
          <Button variant="default" loading={form.isSaving} onClick={() => form.submit()}>
            Link a wallet
          </Button>
        )}
      </Group>
      {!hasWallet() && <Text size="sm">To link a wallet, install one in this browser.</Text>}
    </Stack>
  )
}
