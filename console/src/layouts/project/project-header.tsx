import { Group, Text } from '@mantine/core'
import { CopyButton } from '../../components/copy-button.tsx'
import { ExternalLink } from '../../components/page.tsx'
import { isSameOrigin } from '../../components/picture.tsx'
import { Label } from '../../components/status.tsx'
import { accessLabel, type Project } from './access.ts'
import classes from './project.module.css'

export function ProjectFacts({ project }: { project: Project }) {
  return (
    <Group gap="xs">
      <span className="mono">{project.fullname}</span>
      <CopyButton value={project.fullname} what="full name" />
      <Label>{accessLabel(project)}</Label>
      {project.tags.map((tag) => (
        <Label key={tag}>{tag}</Label>
      ))}
    </Group>
  )
}

/** Cover, description and links of a project. */
export function ProjectDescription({ project }: { project: Project }) {
  const { meta } = project
  return (
    <>
      {isSameOrigin(meta.cover) && <img className={classes.banner} src={meta.cover} alt="" />}
      <Text style={{ whiteSpace: 'pre-wrap' }}>{meta.description || 'No description yet.'}</Text>
      {meta.links && meta.links.length > 0 && (
        <Group gap="md" mt="sm">
          {meta.links.map(({ title, url }) => (
            <ExternalLink key={`${title} ${url}`} href={url}>
              {title}
            </ExternalLink>
          ))}
        </Group>
      )}
    </>
  )
}
