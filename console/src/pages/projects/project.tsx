import { ProjectFrame } from '../../frames/project/project-frame.tsx'
import { ProjectStory } from '../../frames/project/project-head.tsx'
import { Facts, Section } from '../../parts/page.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'

export function ProjectPage() {
  return (
    <ProjectFrame>
      {({ view }) => (
        <>
          <Section title="About">
            <ProjectStory project={view} />
          </Section>
          <Section title="At a glance">
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
    </ProjectFrame>
  )
}
