/** A request of an own instance in the form of REALM-Bench. */
export function request(passenger_id: string, pickup: string, dropoff: string, more = {}) {
  return { passenger_id, pickup, dropoff, time_window: [9, 9.5], deadline: 40, ...more };
}

/** An own instance of rides in the form of REALM-Bench P3 and P4: a triangle of places. */
export function ridesInstance(more: Record<string, unknown> = {}) {
  return {
    instance_id: 'own_rides',
    city_map: {
      locations: ['mill', 'old-town', 'quay'],
      distances: {
        ...{ 'mill-old-town': 10, 'old-town-mill': 10, 'old-town-quay': 12, 'quay-old-town': 12 },
        ...{ 'mill-quay': 30, 'quay-mill': 30 },
      },
    },
    ride_requests: [request('ann', 'mill', 'quay'), request('bob', 'quay', 'old-town')],
    vehicles: [{ vehicle_id: 'van', location: 'mill', capacity: 3, fuel: 80 }],
    ...more,
  };
}

/** An own instance in the form of REALM-Bench P5 and P8. */
export const weddingInstance = {
  instance_id: 'own_wedding',
  locations: { S: 'Station', H: 'Hall' },
  travel_times: { 'S-H': 20 },
  guests: [{ name: 'Ida', location: 'S', arrival_time: '10:00' }],
  vehicles: [{ id: 'bus', capacity: 8, location: 'depot' }],
  errands: ['music', 'cake'],
  constraints: { wedding_deadline: '17:00' },
  disruptions: [
    { type: 'traffic_delay', route: 'H-S', delay: 5, start_time: '12:00' },
    { type: 'road_closure', route: 'depot-S', duration: 30, start_time: '13:00' },
  ],
};

/** An own instance in the form of REALM-Bench P6 and P9. */
export const dinnerInstance = {
  instance_id: 'own_dinner',
  vehicles: [{ id: 'car', capacity: 4, location: 'house' }],
  cooking_tasks: ['soup', 'pie'],
  family_members: [{ id: 'eve', skills: ['soup'], arrival: 'house', flight: null }],
  cooking_dependencies: [['soup', 'stew']],
  constraints: { dinner_deadline: '18:00', max_cooks: 2 },
};
