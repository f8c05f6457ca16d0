import { Button, Checkbox, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type Scope, scopeNames, scopeTable } from '@tocsin/contract'
import { useMemo, useState } from 'react'
import { ConfirmAction, DangerButton } from '../../components/confirm-action.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconKey, IconPlus } from '../../components/icons.tsx'
import { LinkText } from '../../components/links.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column } from '../../components/table/table-model.ts'
import type { Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { useApiList } from '../../data/lists.ts'
import { useMe } from '../../data/session.ts'
import { useWorkspaces } from '../../data/workspace.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { KeptFormNotice } from '../../forms/kept-form-notice.tsx'
import { expiryOf, type Lifetime, LifetimeField } from '../../forms/lifetime-field.tsx'
import { useForm } from '../../forms/use-form.ts'

type Token = Item<'listTokens'>

const columns: Column<Token>[] = [
  { key: 'name', header: 'Name', value: ({ name }) => name },
  {
    key: 'scopes',
    header: 'Scopes',
    value: ({ scopes }) => (scopes.length === scopeNames.length ? 'All' : scopes.join(', ')),
  },
  { key: 'workspace', header: 'Workspace', value: ({ workspace }) => workspace ?? 'All' },
  {
    key: 'created',
    header: 'Created',
    value: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
  {
    key: 'used',
    header: 'Last used',
    value: ({ lastUsedAt }) => lastUsedAt ?? '',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : 'Never'),
  },
  {
    key: 'expires',
    header: 'Expires',
    value: ({ expiresAt }) => expiresAt ?? '',
    cell: ({ expiresAt }) => (expiresAt ? <RelativeTime at={expiresAt} /> : 'Never'),
  },
  { key: 'revoke', header: 'Revoke', value: () => '', isActions: true, cell: (token) => <Revoke token={token} /> },
]

export function TokensPage() {
  const list = useApiList('listTokens', {})
  const empty = useMemo(
    () => (
      <EmptyState
        icon={IconKey}
        title="No access tokens yet"
        text="Create one token for each script or pipeline, so that you can revoke each one separately."
      />
    ),
    [],
  )
  return (
    <Page
      title="Access tokens"
      about="A token acts as you, through the API and in this console."
      breadcrumb={<LinkText to="/account">Account</LinkText>}
      actions={<NewToken />}
    >
      <DataTable label="Access tokens" list={list} columns={columns} rowKey={({ id }) => id} empty={empty} />
    </Page>
  )
}

function Revoke({ token }: { token: Token }) {
  const revoke = useChange('deleteToken', { notice: `Token ${token.name} revoked.` })
  return (
    <ConfirmAction
      title={`Revoke ${token.name}?`}
      text="Everything that uses this token stops working immediately. This cannot be undone."
      verb="Revoke token"
      act={() => revoke.mutateAsync({ id: token.id })}
    >
      {(open) => (
        <DangerButton size="xs" onClick={open} aria-label={`Revoke ${token.name}`}>
          Revoke
        </DangerButton>
      )}
    </ConfirmAction>
  )
}

function NewToken() {
  const [isOpen, { open, close }] = useDisclosure(false)
  const [secret, setSecret] = useState<string>()
  const leave = () => {
    setSecret(undefined)
    close()
  }
  return (
    <>
      <Button leftSection={<IconPlus />} onClick={open}>
        Create token
      </Button>
      <Modal opened={isOpen} onClose={leave} title="New access token" closeButtonProps={{ 'aria-label': 'Close' }}>
        {secret === undefined ? (
          <TokenForm done={setSecret} />
        ) : (
          <Stack>
            <SecretOnce secret={secret} what="token" />
            <Button onClick={leave}>Done</Button>
          </Stack>
        )}
      </Modal>
    </>
  )
}

const lifetimes: Lifetime[] = [1, 7, 30, 90, 365, null]

type Values = { name: string; scopes: Scope[]; workspace: string; days: Lifetime }

/** A new token gets the scopes of the caller at most; the others are not offered. */
function TokenForm({ done }: { done: (secret: string) => void }) {
  const { data: me } = useMe()
  const { items: workspaces } = useWorkspaces()
  const create = useChange('createToken', { after: ({ token }) => done(token) })
  const initial: Values = { name: '', scopes: me?.scopes ?? scopeNames, workspace: '', days: 90 }
  const form = useForm({
    initial,
    check: issuesIn,
    save: (values) => create.mutateAsync({ body: bodyOf(values) }),
    keep: { name: 'token' },
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="sm">
        <KeptFormNotice form={form} />
        <TextInput label="Name" placeholder="deploy pipeline" data-autofocus {...form.text('name')} />
        <Checkbox.Group
          label="Scopes"
          description="What the token may do. Your role in a workspace still applies."
          value={form.values.scopes}
          onChange={(chosen) =>
            form.set(
              'scopes',
              scopeNames.filter((scope) => chosen.includes(scope)),
            )
          }
          error={form.errorOf('scopes')}
        >
          <Stack gap="xs" mt="xs">
            {(me?.scopes ?? scopeNames).map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} description={scopeTable[scope]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Select
          label="Workspace"
          description="A token for one workspace sees nothing else and cannot change your account."
          data={[
            { value: '', label: 'All your workspaces' },
            ...workspaces.map(({ fullname, meta }) => ({ value: fullname, label: meta.title ?? fullname })),
          ]}
          value={form.values.workspace}
          onChange={(value) => form.set('workspace', value ?? '')}
          allowDeselect={false}
        />
        <LifetimeField offered={lifetimes} value={form.values.days} onChange={(days) => form.set('days', days)} />
        <FormFooter
          failure={form.failure}
          isSaving={form.isSaving}
          verb="Create token"
          shownElsewhere={(path) => path === 'name'}
        />
      </Stack>
    </form>
  )
}

function issuesIn({ name, scopes }: Values) {
  return [
    ...(name.trim() === '' ? [{ path: 'name', message: 'Enter a name' }] : []),
    ...(scopes.length === 0 ? [{ path: 'scopes', message: 'Choose at least one scope' }] : []),
  ]
}

function bodyOf({ name, scopes, workspace, days }: Values) {
  return { name, scopes, ...(workspace !== '' && { workspace }), expiresAt: days === null ? null : expiryOf(days) }
}
