import { scopeNames } from '@tocsin/contract'
import { useMemo } from 'react'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { DangerButton } from '../../components/danger-button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconKey } from '../../components/icons.tsx'
import { LinkText } from '../../components/link-text.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column } from '../../components/table/table-model.ts'
import type { Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { useApiList } from '../../data/lists.ts'
import { NewToken } from './new-token.tsx'

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
