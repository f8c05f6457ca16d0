import { Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { JsonView } from '../../../components/json-view.tsx'
import { LinkText } from '../../../components/link-text.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Facts, Page, Section } from '../../../components/page.tsx'
import { PageLoading } from '../../../components/page-loading.tsx'
import { RelativeTime } from '../../../components/relative-time.tsx'
import { Label, Status } from '../../../components/status.tsx'
import { useApiQuery } from '../../../data/queries.ts'
import { useWorkspace } from '../../../data/use-workspace.ts'
import { atLeast } from '../../../data/workspace.ts'
import { StackNotice } from '../../../layouts/stack-notice.tsx'
import { canonical, definitionOf, type Trigger } from '../model/definition.ts'
import { sourceOf, specLabel } from '../model/spec-kinds.ts'
import { NextSteps } from './next-steps.tsx'
import { TriggerActions } from './trigger-actions.tsx'
import { TriggerLogs } from './trigger-logs.tsx'

export function TriggerPage() {
  const { workspace, trigger: fullname } = useParams({ from: '/shell/w/$workspace/triggers/$trigger' })
  const { level } = useWorkspace()
  const { data: trigger, error, refetch } = useApiQuery('getTrigger', { fullname }, { pollMs: 15_000 })
  if (!trigger) return error ? <ErrorNotice error={error} retry={() => void refetch()} /> : <PageLoading />
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
        <TriggerStatus trigger={trigger} />
      </Section>
      {mayEdit && <TriggerLogs fullname={trigger.fullname} />}
      <Section title="Definition">
        <JsonView value={canonical(definitionOf(trigger))} label="definition" maxHeight={420} />
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

function TriggerStatus({ trigger }: { trigger: Trigger }) {
  const { status, triggerSpec, project, workspace, providers, hasDraft, updatedAt } = trigger
  const source = sourceOf(triggerSpec)
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
        ['Source', source ?? '–'],
        ['Providers', providers.length],
        ['Changed', <RelativeTime key="changed" at={updatedAt} />],
        ['Draft', hasDraft ? <Label key="draft">Unpublished draft</Label> : 'None'],
      ]}
    />
  )
}
