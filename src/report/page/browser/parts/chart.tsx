import { useEffect, useRef, useState } from 'preact/hooks';

interface Props {
  /** Accessible description of the chart. */
  readonly label: string;
  /** Draws the chart with a width in pixels; called again when the width changes. */
  readonly draw: (width: number) => Element;
}

/** A chart of Observable Plot, as wide as its container. */
export function Chart({ label, draw }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const observer = new ResizeObserver(([{ contentRect }]) =>
      setWidth(Math.round(contentRect.width)),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (width <= 0) return;
    const drawn = draw(width);
    // The content security policy allows only the page's own style, which contains these rules.
    for (const style of drawn.querySelectorAll('style')) style.remove();
    // The names of its marks are for programs: to a screen reader the chart is one picture, with its label.
    for (const part of drawn.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label');
    place.current?.replaceChildren(drawn);
  }, [draw, width]);
  return <div class="chart" role="img" aria-label={label} ref={place} />;
}
