import { Component, type ComponentChildren } from 'preact';

interface Props {
  readonly children: ComponentChildren;
  /** Default: English. */
  readonly text?: (problem: string) => string;
}

const ENGLISH = (problem: string) =>
  `This view cannot be shown (${problem}). The other views are not affected.`;

/** Contains an error of a view, and shows its message instead of a blank page. */
export class Boundary extends Component<Props, { problem: string | null }> {
  override state = { problem: null };

  static override getDerivedStateFromError(error: unknown) {
    return { problem: String(error) };
  }

  override render() {
    const { problem } = this.state;
    if (problem === null) return this.props.children;
    const { text = ENGLISH } = this.props;
    return <p class="empty">{text(problem)}</p>;
  }
}
