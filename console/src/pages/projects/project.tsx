import { Facts, Section } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { ProjectDescription } from '../../layouts/project/project-header.tsx'
import { ProjectLayout } from '../../layouts/project/project-layout.tsx'
import { StackNotice } from '../../layouts/stack-notice.tsx'

export function ProjectPage() {
  return (
    <ProjectLayout>
      {({ view }) => (
        <>
          <StackNotice workspace={view.workspace} kind="project" name={view.fullname} labels={view.labels} />
          <Section title="About">
            <ProjectDescription project={view} />
          </Section>
          <Section title="Overview">
            <Facts
              facts={[
                ['Triggers', view.counts.triggers],
                ['Templates', view.counts.templates],
                ['Created', <RelativeTime key="created" at={view.createdAt} />],
                ['Changed', <RelativeTime key="changed" at={view.updatedAt} />],
              ]}
            />
          </Section>
        </>
      )}
    </ProjectLayout>
  )
}
