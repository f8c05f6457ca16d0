import { useParams } from '@tanstack/react-router'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { LinkText } from '../../components/link-text.tsx'
import { Facts, Page, Section } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { useApiQuery } from '../../data/queries.ts'
import { ProjectDescription, ProjectFacts } from '../../layouts/project/project-header.tsx'
import { ProjectMark } from '../../layouts/project/project-mark.tsx'
import { PublicTriggers } from './public-triggers.tsx'
import { SubscribeButton } from './subscribe-button.tsx'

/** A project as subscribers see it. */
export function MarketplaceProjectPage() {
  const { project } = useParams({ from: '/shell/marketplace/$project' })
  const { data, error, refetch } = useApiQuery('getProject', { fullname: project })
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!data) return <PageLoading />
  return (
    <Page
      glyph={<ProjectMark project={data} size={44} />}
      title={data.meta.title}
      about={<ProjectFacts project={data} />}
      breadcrumb={<LinkText to="/marketplace">Marketplace</LinkText>}
      actions={
        <>
          <SubscribeButton project={data.fullname} />
          {data.level && (
            <LinkButton
              variant="default"
              to="/w/$workspace/projects/$project"
              params={{ workspace: data.workspace, project: data.fullname }}
            >
              Open in workspace
            </LinkButton>
          )}
        </>
      }
    >
      <Section title="About">
        <ProjectDescription project={data} />
      </Section>
      <PublicTriggers project={data.fullname} />
      <Section>
        <Facts
          facts={[
            ['Published by', data.ownerTitle ?? data.workspace],
            ['Created', <RelativeTime key="since" at={data.createdAt} />],
            ['Changed', <RelativeTime key="change" at={data.updatedAt} />],
          ]}
        />
      </Section>
    </Page>
  )
}
