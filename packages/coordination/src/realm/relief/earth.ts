/** A point of the earth, in degrees. */
export interface GeoPoint {
  readonly lat: number;
  readonly lon: number;
}

const EARTH_KM = 6371;

/** Kilometres along the surface of a sphere (haversine formula). */
export function kilometresBetween(a: GeoPoint, b: GeoPoint): number {
  const radians = (degrees: number) => (Math.PI * degrees) / 180;
  const lat = Math.sin(radians(b.lat - a.lat) / 2) ** 2;
  const lon = Math.sin(radians(b.lon - a.lon) / 2) ** 2;
  const root = lat + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * lon;
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(root)));
}

/** The mean of latitudes and longitudes. */
export function middleOf(points: readonly GeoPoint[]): GeoPoint {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, one) => sum + one, 0) / values.length;
  return { lat: mean(points.map(({ lat }) => lat)), lon: mean(points.map(({ lon }) => lon)) };
}
