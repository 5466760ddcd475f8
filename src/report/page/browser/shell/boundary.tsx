import { Component, type ComponentChildren } from 'preact';

interface Props {
  readonly children: ComponentChildren;
}

/** Keeps a fault of a view to itself: says what it was, where there would be nothing to see. */
export class Boundary extends Component<Props, { problem: string | null }> {
  override state = { problem: null };

  static override getDerivedStateFromError(error: unknown) {
    return { problem: String(error) };
  }

  override render() {
    const { problem } = this.state;
    if (problem === null) return this.props.children;
    return (
      <p class="empty">
        This view cannot be shown ({problem}). The others are not touched by that.
      </p>
    );
  }
}
