import { Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { LinkText } from '../../../components/link-text.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Facts, Page, Section } from '../../../components/page.tsx'
import { PageLoading } from '../../../components/page-loading.tsx'
import { RelativeTime } from '../../../components/relative-time.tsx'
import { Label, Status } from '../../../components/status.tsx'
import { useApiQuery } from '../../../data/queries.ts'
import { useWorkspace } from '../../../data/use-workspace.ts'
import { atLeast } from '../../../data/workspace.ts'
import { AddressJson } from '../../../layouts/address/address-json.tsx'
import { AddressText } from '../../../layouts/address/address-text.tsx'
import { type AddressSource, useSources } from '../../../layouts/address/use-sources.ts'
import { StackNotice } from '../../../layouts/stack-notice.tsx'
import { canonical, definitionOf, type Trigger } from '../model/definition.ts'
import { contractsOf, sourceOf, specLabel } from '../model/spec-kinds.ts'
import { NextSteps } from './next-steps.tsx'
import { TriggerActions } from './trigger-actions.tsx'
import { TriggerLogs } from './trigger-logs.tsx'

export function TriggerPage() {
  const { workspace, trigger: fullname } = useParams({ from: '/shell/w/$workspace/triggers/$trigger' })
  const { level } = useWorkspace()
  const { data: trigger, error, refetch } = useApiQuery('getTrigger', { fullname }, { pollMs: 15_000 })
  const sources = useSources()
  if (!trigger) return error ? <ErrorNotice error={error} retry={() => void refetch()} /> : <PageLoading />
  if (sources.isLoading) return <PageLoading />
  const source = sources.find(sourceOf(trigger.triggerSpec))
  const mayEdit = atLeast(level, 'developer')
  return (
    <Page
      title={trigger.meta.title}
      about={trigger.meta.description ?? <span className="mono">{fullname}</span>}
      breadcrumb={
        <LinkText to="/w/$workspace/triggers" params={{ workspace }}>
          Triggers
        </LinkText>
      }
      actions={mayEdit && <TriggerActions trigger={trigger} />}
    >
      <StackNotice workspace={trigger.workspace} kind="trigger" name={fullname} labels={trigger.labels} />
      <StatusNotice trigger={trigger} />
      <NextSteps trigger={trigger} />
      <Section title="Status">
        <TriggerStatus trigger={trigger} source={source} />
      </Section>
      {mayEdit && <TriggerLogs fullname={trigger.fullname} />}
      <Section title="Definition">
        <AddressJson value={canonical(definitionOf(trigger))} label="definition" maxHeight={420} source={source} />
      </Section>
    </Page>
  )
}

function StatusNotice({ trigger: { status } }: { trigger: Trigger }) {
  if (status.status === 'ready' || status.status === 'not_tested') return null
  return (
    <Notice tone={status.status === 'broken' ? 'bad' : 'warn'} title={`Trigger status: ${status.status}`}>
      <Text size="sm">
        {status.issue ?? 'No reason given.'}
        {status.reasonCode && <code> {status.reasonCode}</code>}
      </Text>
    </Notice>
  )
}

function TriggerStatus({ trigger, source }: { trigger: Trigger; source: AddressSource | undefined }) {
  const { status, triggerSpec, project, workspace, providers, hasDraft, updatedAt } = trigger
  const contracts = contractsOf(triggerSpec)
  return (
    <Facts
      facts={[
        ['Status', <Status key="status" value={status.status} />],
        ['Status changed', <RelativeTime key="since" at={status.updatedAt} />],
        [
          'Project',
          <LinkText key="project" to="/w/$workspace/projects/$project/triggers" params={{ workspace, project }}>
            {project}
          </LinkText>,
        ],
        ['Listens to', specLabel(triggerSpec)],
        ['Source', sourceOf(triggerSpec) ?? '–'],
        ...(contracts.length === 0
          ? []
          : [
              [
                triggerSpec?.programId === undefined ? 'Contract' : 'Program',
                <Contracts key="contracts" {...{ contracts, source }} />,
              ] satisfies [string, ReactNode],
            ]),
        ['Providers', providers.length],
        ['Changed', <RelativeTime key="changed" at={updatedAt} />],
        ['Draft', hasDraft ? <Label key="draft">Unpublished draft</Label> : 'None'],
      ]}
    />
  )
}

const contractsMax = 5

function Contracts({ contracts, source }: { contracts: string[]; source: AddressSource | undefined }) {
  const more = contracts.length - contractsMax
  return (
    <>
      {contracts.slice(0, contractsMax).map((contract) => (
        <div key={contract}>
          <AddressText text={contract} source={source} />
        </div>
      ))}
      {more > 0 && `and ${more.toLocaleString('en')} more`}
    </>
  )
}
