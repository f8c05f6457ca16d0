import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconPlus, IconResource } from '../../components/icons.tsx'
import { LinkButton, LinkText } from '../../components/links.tsx'
import { Page } from '../../components/page.tsx'
import { NameCell } from '../../components/patterns/name-cell.tsx'
import { changedColumn } from '../../components/table/changed-column.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column } from '../../components/table/table-model.ts'
import { atLeast, useWorkspace } from '../../data/workspace.ts'
import {
  type Blueprint,
  type Resource,
  targetOf,
  titleOf,
  useBlueprints,
} from '../../layouts/destination/blueprints.ts'
import { ChannelGlyph } from '../../layouts/destination/channel-glyph.tsx'
import { HealthStatus, healthText, queueText, successRate, useDestinations } from '../../layouts/destination/health.tsx'

export function ResourcesPage() {
  const { fullname: workspace, level } = useWorkspace()
  const list = useDestinations(workspace)
  const { items: blueprints } = useBlueprints()
  const columns = useMemo(() => columnsFor(workspace, blueprints), [workspace, blueprints])
  const facets = useMemo(() => [kindFacet(blueprints)], [blueprints])
  const mayCreate = atLeast(level, 'admin')
  const create = mayCreate && (
    <LinkButton to="/w/$workspace/resources/new" params={{ workspace }} leftSection={<IconPlus />}>
      Create destination
    </LinkButton>
  )
  return (
    <Page
      title="Destinations"
      about="Webhooks, chats, e-mail addresses and devices that receive alerts."
      actions={list.items.length > 0 && create}
    >
      <DataTable
        label="Destinations"
        list={list}
        columns={columns}
        facets={facets}
        rowKey={({ fullname }) => fullname}
        empty={
          <EmptyState
            icon={IconResource}
            title="No destinations yet"
            text={
              mayCreate
                ? 'Add a webhook, a chat or an e-mail address. Without a destination, alerts are in the app only.'
                : 'An admin of this workspace can add a webhook, a chat or an e-mail address.'
            }
          >
            {create}
          </EmptyState>
        }
      />
    </Page>
  )
}

function kindFacet(blueprints: Blueprint[]) {
  return {
    label: 'Kind',
    value: ({ blueprint }: Resource) => blueprint,
    options: blueprints.map(({ fullname, title }) => ({ value: fullname, label: title })),
  }
}

function columnsFor(workspace: string, blueprints: Blueprint[]): Column<Resource>[] {
  return [
    {
      key: 'title',
      header: 'Destination',
      value: ({ meta, fullname }) => `${meta.title ?? ''} ${fullname}`,
      cell: ({ meta, name, fullname, blueprint }) => (
        <NameCell
          fullname={fullname}
          glyph={<ChannelGlyph blueprint={blueprint} />}
          name={
            <LinkText to="/w/$workspace/resources/$resource" params={{ workspace, resource: fullname }} fw={550}>
              {meta.title ?? name}
            </LinkText>
          }
          about={titleOf(blueprint, blueprints)}
        />
      ),
    },
    { key: 'target', header: 'Delivers to', value: (resource) => targetOf(resource) ?? '–' },
    {
      key: 'health',
      header: 'Status',
      value: healthText,
      cell: (resource) => (
        <div>
          <HealthStatus resource={resource} />
          <Text size="xs" c="dimmed">
            {resource.remark ?? resource.health?.lastError}
          </Text>
        </div>
      ),
    },
    {
      key: 'rate',
      header: 'Success (24 h)',
      value: ({ health }) => health?.last24h?.successRate ?? -1,
      cell: (resource) => (
        <div>
          {successRate(resource) ?? '–'}
          {queueText(resource) && (
            <Text size="xs" c="dimmed">
              {queueText(resource)} waiting
            </Text>
          )}
        </div>
      ),
    },
    changedColumn,
  ]
}
