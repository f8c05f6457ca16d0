import { Button, Group, Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { ConfirmAction, DangerButton } from '../../components/confirm-action.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconLink, IconPlus } from '../../components/icons.tsx'
import { LinkButton } from '../../components/links.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status, statusOptions } from '../../components/status.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column, Facet } from '../../components/table/table-model.ts'
import type { Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { useApiList } from '../../data/lists.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { expiryOf, type Lifetime, LifetimeField } from '../../forms/lifetime-field.tsx'
import { useForm } from '../../forms/use-form.ts'
import { accessOf, type Project } from '../../layouts/project/access.ts'
import { ProjectLayout } from '../../layouts/project/project-layout.tsx'
import { shareLink } from './share-link.ts'

type AccessLink = Item<'listAccessLinks'>

const facets: Facet<AccessLink>[] = [
  {
    label: 'Status',
    value: ({ state }) => state,
    options: statusOptions(['active', 'revoked', 'expired', 'exhausted']),
  },
]

export function AccessLinksPage() {
  return (
    <ProjectLayout>
      {({ view }) => (view.accessLevel === 'private' ? <Links project={view} /> : <NotPrivate project={view} />)}
    </ProjectLayout>
  )
}

function NotPrivate({ project: { fullname, workspace } }: { project: Project }) {
  return (
    <EmptyState
      icon={IconLink}
      title="This project needs no access links"
      text="Everyone can see this project already. Access links are for private projects. To make the project private, change its access."
    >
      <LinkButton
        to="/w/$workspace/projects/$project/settings"
        params={{ workspace, project: fullname }}
        variant="default"
      >
        Open settings
      </LinkButton>
    </EmptyState>
  )
}

function Links({ project }: { project: Project }) {
  const { fullname } = project
  const list = useApiList('listAccessLinks', { fullname })
  const columns = useMemo(() => columnsFor(fullname), [fullname])
  const hint =
    accessOf(project) === 'personal' ? ' Links take effect when the access of the project is “Private, by link”.' : ''
  return (
    <>
      <div>
        <NewAccessLink fullname={fullname} />
      </div>
      <DataTable
        label="Access links"
        list={list}
        columns={columns}
        facets={facets}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={IconLink}
            title="No access links yet"
            text={`Create a link and send it to people outside the workspace. Anyone with the link can see the project and subscribe.${hint}`}
          />
        }
      />
    </>
  )
}

function columnsFor(fullname: string): Column<AccessLink>[] {
  return [
    { key: 'state', header: 'Status', value: ({ state }) => state, cell: ({ state }) => <Status value={state} /> },
    {
      key: 'uses',
      header: 'Uses',
      value: ({ usages }) => usages,
      cell: ({ usages, maxUsages }) => (maxUsages === undefined ? `${usages}` : `${usages} of ${maxUsages}`),
    },
    {
      key: 'expires',
      header: 'Expires',
      value: ({ expiresAt }) => expiresAt ?? '',
      cell: ({ expiresAt }) => (expiresAt ? <RelativeTime at={expiresAt} /> : 'Never'),
    },
    {
      key: 'created',
      header: 'Created',
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    {
      key: 'actions',
      header: 'Actions',
      value: () => '',
      isActions: true,
      cell: (link) => <Actions link={link} fullname={fullname} />,
    },
  ]
}

function Actions({ link, fullname }: { link: AccessLink; fullname: string }) {
  const revoke = useChange('deleteAccessLink', { notice: 'Access link revoked.' })
  if (link.state !== 'active') return null
  return (
    <>
      <CopyButton value={shareLink(link.token)} what="link" />
      <ConfirmAction
        title="Revoke this link?"
        text="Nobody can open the link any more. Accounts that opened it before keep their access."
        verb="Revoke link"
        act={() => revoke.mutateAsync({ fullname, id: link.id })}
      >
        {(open) => (
          <DangerButton size="xs" onClick={open}>
            Revoke
          </DangerButton>
        )}
      </ConfirmAction>
    </>
  )
}

const lifetimes: Lifetime[] = [1, 7, 30, null]

function NewAccessLink({ fullname }: { fullname: string }) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const [token, setToken] = useState<string>()
  const leave = () => {
    setToken(undefined)
    close()
  }
  return (
    <>
      <Button leftSection={<IconPlus />} onClick={open}>
        Create access link
      </Button>
      <Modal opened={isOpen} onClose={leave} title="New access link" closeButtonProps={{ 'aria-label': 'Close' }}>
        {token === undefined ? (
          <LinkForm fullname={fullname} done={setToken} />
        ) : (
          <CreatedLink link={shareLink(token)} leave={leave} />
        )}
      </Modal>
    </>
  )
}

function CreatedLink({ link, leave }: { link: string; leave: () => void }) {
  return (
    <Stack>
      <Text size="sm">Send the link to the people who should see the project. Anyone with this link can open it.</Text>
      <TextInput
        label="Access link"
        value={link}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        data-autofocus
      />
      <Group>
        <CopyButton value={link} what="link" isWide />
        <Button onClick={leave}>Done</Button>
      </Group>
    </Stack>
  )
}

function LinkForm({ fullname, done }: { fullname: string; done: (token: string) => void }) {
  const create = useChange('createAccessLink', { after: ({ token }) => done(token) })
  const initial: { maxUsages: number | undefined; days: Lifetime } = { maxUsages: undefined, days: 7 }
  const form = useForm({
    initial,
    save: ({ maxUsages, days }) =>
      create.mutateAsync({
        fullname,
        body: {
          ...(maxUsages !== undefined && { maxUsages }),
          ...(days !== null && { expiresAt: expiryOf(days) }),
        },
      }),
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="sm">
        <NumberInput
          label="Maximum number of uses"
          placeholder="No limit"
          min={1}
          allowDecimal={false}
          value={form.values.maxUsages ?? ''}
          onChange={(value) => form.set('maxUsages', typeof value === 'number' ? value : undefined)}
          error={form.errorOf('maxUsages')}
        />
        <LifetimeField offered={lifetimes} value={form.values.days} onChange={(days) => form.set('days', days)} />
        <FormFooter failure={form.failure} isSaving={form.isSaving} verb="Create link" />
      </Stack>
    </form>
  )
}
