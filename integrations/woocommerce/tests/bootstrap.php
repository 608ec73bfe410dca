<?php
/** As much of WordPress and WooCommerce as the plugin meets. SQL runs, and HTTP goes where it is told to. */

declare(strict_types=1);

define( 'ABSPATH', __DIR__ . '/wordpress/' );
define( 'DAY_IN_SECONDS', 86400 );
define( 'ARRAY_A', 'ARRAY_A' );

final class World {
	/** @var array<string, mixed> */
	public static array $options = array();
	/** @var array<string, list<callable>> */
	public static array $hooks = array();
	/** @var list<int> When the outbox asked to be run. */
	public static array $runs = array();
	/** @var list<array{url: string, given: array<string, mixed>}> What was posted. */
	public static array $posted = array();
	/** What the server answers: a status, 0 for no answer, -1 to really call it. */
	public static int $answer = 200;
	/** @var list<string> */
	public static array $wrong = array();
	public static ?Shop $shop = null;

	public static function renew(): void {
		self::$options = self::$hooks = self::$runs = self::$posted = self::$wrong = array();
		self::$answer  = 200;
		self::$shop    = new Shop();
		$GLOBALS['wpdb'] = new Store();
	}

	public static function fire( string $hook, mixed ...$given ): void {
		foreach ( self::$hooks[ $hook ] ?? array() as $listener ) {
			$listener( ...$given );
		}
	}
}

final class Store {
	public string $prefix = 'wp_';
	private PDO $db;

	public function __construct() {
		$this->db = new PDO( 'sqlite::memory:' );
		$this->db->exec( 'CREATE TABLE wp_tablegram_outbox (id INTEGER PRIMARY KEY AUTOINCREMENT, topic, body, tries, due_at INTEGER, made_at INTEGER)' );
		$this->db->exec( 'CREATE TABLE wp_tablegram_carts (token PRIMARY KEY, contents, told, changed_at INTEGER)' );
	}

	public function prepare( string $sql, mixed ...$values ): string {
		return vsprintf( str_replace( '%s', "'%s'", $sql ), array_map( fn( $value ) => is_string( $value ) ? str_replace( "'", "''", $value ) : $value, $values ) );
	}

	public function query( string $sql ): void {
		$this->db->exec( $sql );
	}

	/** @return list<array<string, mixed>> */
	public function get_results( string $sql ): array {
		return $this->db->query( $sql )->fetchAll( PDO::FETCH_ASSOC );
	}

	public function get_var( string $sql ): mixed {
		$found = $this->db->query( $sql )->fetchColumn();
		return false === $found ? null : $found;
	}

	/** @param array<string, mixed> $row */
	public function insert( string $table, array $row, string $how = 'INSERT' ): void {
		$marks = implode( ', ', array_fill( 0, count( $row ), '?' ) );
		$this->db->prepare( "$how INTO $table (" . implode( ', ', array_keys( $row ) ) . ") VALUES ($marks)" )->execute( array_values( $row ) );
	}

	/** @param array<string, mixed> $row */
	public function replace( string $table, array $row ): void {
		$this->insert( $table, $row, 'REPLACE' );
	}

	/**
	 * @param array<string, mixed> $row
	 * @param array<string, mixed> $which
	 */
	public function update( string $table, array $row, array $which ): void {
		$set   = implode( ', ', array_map( fn( $name ) => "$name = ?", array_keys( $row ) ) );
		$where = implode( ' AND ', array_map( fn( $name ) => "$name = ?", array_keys( $which ) ) );
		$this->db->prepare( "UPDATE $table SET $set WHERE $where" )->execute( array( ...array_values( $row ), ...array_values( $which ) ) );
	}

	/** @param array<string, mixed> $which */
	public function delete( string $table, array $which ): void {
		$where = implode( ' AND ', array_map( fn( $name ) => "$name = ?", array_keys( $which ) ) );
		$this->db->prepare( "DELETE FROM $table WHERE $where" )->execute( array_values( $which ) );
	}
}

final class Session {
	/** @var array<string, mixed> */
	private array $kept = array();
	public function get( string $name ): mixed {
		return $this->kept[ $name ] ?? null;
	}
	public function set( string $name, mixed $value ): void {
		$this->kept[ $name ] = $value;
	}
}

final class Customer {
	/** @var array<string, string> */
	private array $billing = array();
	/** @param list<string> $given */
	public function __call( string $name, array $given ): string {
		$field = substr( $name, 12 );
		if ( str_starts_with( $name, 'set_billing_' ) ) {
			$this->billing[ $field ] = $given[0];
		}
		return $this->billing[ $field ] ?? '';
	}
}

final class Product {
	public function __construct( private string $name ) {}
	public function get_name(): string {
		return $this->name;
	}
}

final class Cart {
	/** @var list<array<string, mixed>> */
	public array $lines = array();
	public function is_empty(): bool {
		return array() === $this->lines;
	}
	/** @return list<array<string, mixed>> */
	public function get_cart(): array {
		return $this->lines;
	}
	public function get_total( string $context ): float {
		return array_sum( array_map( fn( $line ) => $line['line_total'] + $line['line_tax'], $this->lines ) );
	}
	/** @param array<string, string> $choices */
	public function add_to_cart( int $product, int $quantity, int $variation, array $choices ): void {
		$this->lines[] = array( 'product_id' => $product, 'quantity' => $quantity, 'variation_id' => $variation, 'variation' => $choices, 'data' => new Product( "Product $product" ), 'line_total' => 10.0 * $quantity, 'line_tax' => 2.0 * $quantity );
	}
}

final class WC_Order {
	/** @var array<string, mixed> */
	public array $meta = array();
	public function __construct( private int $id, public string $status = 'processing' ) {}
	public function get_id(): int {
		return $this->id;
	}
	public function get_status(): string {
		return $this->status;
	}
	public function update_meta_data( string $name, mixed $value ): void {
		$this->meta[ $name ] = $value;
	}
	public function get_meta( string $name ): mixed {
		return $this->meta[ $name ] ?? '';
	}
	public function get_checkout_order_received_url(): string {
		return "https://shop.example/checkout/order-received/{$this->id}/";
	}
	public function save(): void {
		World::fire( 'woocommerce_update_order', $this->id );
	}
}

final class Api {
	/** @return array<string, mixed> */
	public function get_endpoint_data( string $path ): array {
		$order = World::$shop->orders[ (int) basename( $path ) ];
		return array(
			'id'                => $order->get_id(),
			'number'            => (string) $order->get_id(),
			'status'            => $order->get_status(),
			'currency'          => 'TRY',
			'total'             => '36.00',
			'date_created_gmt'  => '2026-03-14T09:00:00',
			'date_modified_gmt' => '2026-03-14T09:00:01',
			'billing'           => array( 'first_name' => 'Mert', 'last_name' => 'Yıldız', 'phone' => '0533 000 00 04', 'email' => 'mert@example.com', 'country' => 'TR' ),
			'line_items'        => array( array( 'name' => 'Product 7', 'quantity' => 3, 'total' => '36.00' ) ),
			'meta_data'         => array(),
		);
	}
}

final class Shop {
	public Session $session;
	public Customer $customer;
	public Cart $cart;
	public Api $api;
	/** @var array<int, WC_Order> */
	public array $orders = array();
	public function __construct() {
		$this->session  = new Session();
		$this->customer = new Customer();
		$this->cart     = new Cart();
		$this->api      = new Api();
	}
}

final class WP_Error {}

function WC(): Shop {
	return World::$shop;
}
function wc_get_order( mixed $id ): WC_Order|false {
	return World::$shop->orders[ (int) $id ] ?? false;
}
function wc_format_decimal( float $number, int $places ): string {
	return number_format( $number, $places, '.', '' );
}
function wc_get_price_decimals(): int {
	return 2;
}
function get_woocommerce_currency(): string {
	return 'TRY';
}
function add_action( string $hook, callable $listener, int $priority = 10 ): void {
	World::$hooks[ $hook ][] = $listener;
}
function get_option( string $name, mixed $other = false ): mixed {
	return World::$options[ $name ] ?? $other;
}
function add_settings_error( string $option, string $code, string $words, string $kind = 'error' ): void {
	World::$wrong[] = $words;
}
function as_schedule_single_action( int $when, string $hook ): void {
	World::$runs[] = $when;
}
/** @param array<string, mixed> $given */
function wp_remote_post( string $url, array $given ): mixed {
	World::$posted[] = array( 'url' => $url, 'given' => $given );
	if ( -1 !== World::$answer ) {
		return 0 === World::$answer ? new WP_Error() : array( 'code' => World::$answer );
	}
	$fields = array_map( fn( $name, $value ) => "$name: $value", array_keys( $given['headers'] ), $given['headers'] );
	$way    = stream_context_create( array( 'http' => array( 'method' => 'POST', 'header' => $fields, 'content' => $given['body'], 'ignore_errors' => true, 'timeout' => 30, 'follow_location' => 0 ) ) );
	$answer = @file_get_contents( $url, false, $way );
	return false === $answer ? new WP_Error() : array( 'code' => (int) explode( ' ', $http_response_header[0] )[1] );
}
function is_wp_error( mixed $answer ): bool {
	return $answer instanceof WP_Error;
}
/** @param array<string, mixed> $answer */
function wp_remote_retrieve_response_code( array $answer ): int {
	return $answer['code'];
}
function wp_json_encode( mixed $what, int $how = 0 ): string|false {
	return json_encode( $what, $how );
}
function wp_parse_str( string $text, mixed &$fields ): void {
	parse_str( $text, $fields );
}
function sanitize_text_field( string $text ): string {
	return trim( strip_tags( $text ) );
}
function wp_generate_password( int $length, bool $special ): string {
	return substr( str_repeat( bin2hex( random_bytes( 16 ) ), 2 ), 0, $length );
}
function home_url( string $path ): string {
	return "https://shop.example$path";
}
function add_query_arg( string $name, string $value, string $url ): string {
	return "$url?$name=$value";
}
function determine_locale(): string {
	return 'tr_TR';
}
function __( string $text, string $domain ): string {
	return $text;
}

foreach ( array( 'settings', 'outbox', 'carts', 'orders' ) as $name ) {
	require_once __DIR__ . "/../includes/class-$name.php";
}
