import { useParams } from '@tanstack/react-router'
import { CopyButton } from '../../components/copy-button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { LinkText } from '../../components/link-text.tsx'
import { Notice } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { PageFailure } from '../../components/page-failure.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { refresh } from '../../data/changes.ts'
import { useLive } from '../../data/live.ts'
import { useApiQuery } from '../../data/queries.ts'
import { type Source, useSources } from '../../layouts/address/use-sources.ts'
import type { TracedAlert } from '../../layouts/alert/alert-status.ts'
import { amountIn } from '../../layouts/alert/amount.ts'
import { tokenIcon } from '../../layouts/alert/token-icons.ts'
import { useTitles } from '../../layouts/alert/use-titles.ts'
import { NetworkGlyph } from '../../layouts/watch/network-glyph.tsx'
import { AlertFacts } from './alert-facts.tsx'
import { AlertHead, AlertLine } from './alert-head.tsx'
import { AlertValues } from './alert-values.tsx'
import { Deliveries } from './deliveries.tsx'
import { Digest } from './digest.tsx'
import { Replay } from './replay.tsx'
import { Trace } from './trace.tsx'

/** The stream reports changes of the status. Delivery attempts that do not change it are polled. */
const pollMs = 5_000

export function AlertPage() {
  const { workspace, alert: id } = useParams({ from: '/shell/w/$workspace/alerts/$alert' })
  const { data: alert, error, refetch } = useApiQuery('getAlert', { id }, { pollMs })
  const sources = useSources()
  useLive(workspace, (event) => {
    if (event.event === 'alert' && (event.data.id === id || event.data.resolves === id)) void refresh(['alerts'])
  })
  if (!alert) return error ? <PageFailure title="Alert" error={error} retry={() => void refetch()} /> : <PageLoading />
  if (sources.isLoading) return <PageLoading />
  const source = sources.find(alert.source)
  return (
    <Page
      title={alert.message.title}
      glyph={<AlertGlyph {...{ workspace, alert, source }} />}
      about={<AlertLine {...{ workspace, alert, source }} />}
      breadcrumb={
        <LinkText to="/w/$workspace/alerts" params={{ workspace }}>
          Alerts
        </LinkText>
      }
      actions={
        <>
          <Replay alert={alert} />
          <CopyButton value={window.location.href} what="link" isWide />
        </>
      }
    >
      <ErrorNotice error={error} />
      <StatusNotice alert={alert} />
      <AlertHead {...{ workspace, alert, source }} />
      <AlertValues alert={alert} />
      <Digest workspace={workspace} alert={alert} />
      <Deliveries workspace={workspace} alert={alert} />
      {alert.resource === undefined && <Trace {...{ workspace, alert, source }} />}
      <AlertFacts {...{ workspace, alert, source }} />
    </Page>
  )
}

type AlertGlyphProps = { workspace: string; alert: TracedAlert; source: Source | undefined }

function AlertGlyph({ workspace, alert: { trigger, resource, message }, source }: AlertGlyphProps) {
  const titles = useTitles(workspace)
  const token = tokenIcon(amountIn(message.title)?.unit)
  return (
    <NetworkGlyph
      source={source}
      title={resource === undefined ? titles.trigger(trigger) : titles.destination(resource)}
      size={40}
      token={token}
    />
  )
}

/** Explains a status that needs more than one word. */
function StatusNotice({ alert: { status, reason, hasDeliveries } }: { alert: TracedAlert }) {
  if (status === 'retracted')
    return (
      <Notice tone="warn" title="This alert was retracted">
        {reason ?? 'A chain reorganisation removed the block that caused it.'}
        {hasDeliveries && ' Destinations that received the alert also received the retraction.'}
      </Notice>
    )
  if (status === 'failed')
    return (
      <Notice tone="bad" title="A delivery failed">
        {reason ?? 'The attempts below show the errors.'} Fix the destination, then resend the failed deliveries.
      </Notice>
    )
  return reason ? <Notice tone="info" title={reason} /> : null
}
