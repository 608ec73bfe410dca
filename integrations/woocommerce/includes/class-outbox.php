<?php
declare(strict_types=1);

namespace Tablegram;

defined( 'ABSPATH' ) || exit;

/**
 * What is to be sent lies in a table until the server has said that it is kept: a shop that is cut off loses nothing,
 * and no customer waits for the network.
 */
final class Outbox {
	public const RUN   = 'tablegram_send';
	private const MOST = 20;
	/** Seconds until the next try, after the first, the second and every further one that failed. */
	private const WAITS = array( 10, 60, 300, 900, 3600 );
	/** After so many seconds nobody wants to hear of it any more. */
	private const KEPT_S = 14 * DAY_IN_SECONDS;

	public function __construct( private Settings $settings ) {}

	public static function make_tables(): void {
		global $wpdb;
		require_once ABSPATH . 'wp-admin/includes/upgrade.php';
		$collate = $wpdb->get_charset_collate();
		dbDelta(
			"CREATE TABLE {$wpdb->prefix}tablegram_outbox (
id bigint unsigned NOT NULL AUTO_INCREMENT,
topic varchar(40) NOT NULL,
body longtext NOT NULL,
tries int NOT NULL DEFAULT 0,
due_at bigint NOT NULL,
made_at bigint NOT NULL,
PRIMARY KEY  (id),
KEY due_at (due_at)
) $collate;"
		);
		dbDelta(
			"CREATE TABLE {$wpdb->prefix}tablegram_carts (
token varchar(64) NOT NULL,
contents longtext NOT NULL,
told varchar(64) NOT NULL DEFAULT '',
changed_at bigint NOT NULL,
PRIMARY KEY  (token)
) $collate;"
		);
	}

	public function listen(): void {
		add_action( self::RUN, array( $this, 'send_due' ) );
	}

	/** @param array<string, mixed> $body What the topic is about. */
	public function add( string $topic, array $body ): void {
		global $wpdb;
		if ( ! $this->settings->is_ready() ) {
			return;
		}
		$now  = time();
		$text = wp_json_encode( $body, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE );
		if ( ! is_string( $text ) ) {
			return;
		}
		$wpdb->insert(
			"{$wpdb->prefix}tablegram_outbox",
			array( 'topic' => $topic, 'body' => $text, 'tries' => 0, 'due_at' => $now, 'made_at' => $now )
		);
		$this->run_at( $now );
	}

	/** Send what is due, oldest first. What fails waits, and what comes behind it waits with it, so that order holds. */
	public function send_due(): void {
		global $wpdb;
		$table = "{$wpdb->prefix}tablegram_outbox";
		$wpdb->query( $wpdb->prepare( "DELETE FROM $table WHERE made_at < %d", time() - self::KEPT_S ) );
		// phpcs:ignore WordPress.DB.PreparedSQL.InterpolatedNotPrepared -- the name of our own table.
		$rows = $wpdb->get_results( $wpdb->prepare( "SELECT * FROM $table ORDER BY id LIMIT %d", self::MOST ), ARRAY_A );
		foreach ( $rows as $row ) {
			$due = (int) $row['due_at'];
			if ( $due > time() ) {
				$this->run_at( $due );
				return;
			}
			$tries = (int) $row['tries'];
			if ( '' === $this->post( (string) $row['topic'], (string) $row['body'] ) ) {
				$wpdb->delete( $table, array( 'id' => $row['id'] ) );
				continue;
			}
			$next = time() + self::WAITS[ min( $tries, count( self::WAITS ) - 1 ) ];
			$wpdb->update( $table, array( 'tries' => $tries + 1, 'due_at' => $next ), array( 'id' => $row['id'] ) );
			$this->run_at( $next );
			return;
		}
		if ( count( $rows ) === self::MOST ) {
			$this->run_at( time() );
		}
	}

	/** Send one delivery now; what is wrong in plain words, or nothing. */
	public function post( string $topic, string $body ): string {
		$answer = wp_remote_post(
			$this->settings->url(),
			array(
				'timeout'     => 10,
				'redirection' => 0,
				'body'        => $body,
				'headers'     => array(
					'Content-Type'           => 'application/json; charset=utf-8',
					'X-WC-Webhook-Source'    => home_url( '/' ),
					'X-WC-Webhook-Topic'     => $topic,
					'X-WC-Webhook-Signature' => self::signed( $this->settings->secret(), $body ),
				),
			)
		);
		if ( is_wp_error( $answer ) ) {
			return __( 'The server could not be reached.', 'tablegram' );
		}
		$code = (int) wp_remote_retrieve_response_code( $answer );
		if ( $code >= 200 && $code < 300 ) {
			return '';
		}
		if ( 401 === $code ) {
			return __( 'The secret is wrong: copy it again from Tablegram.', 'tablegram' );
		}
		if ( 404 === $code ) {
			return __( 'There is no such source: copy the address again from Tablegram.', 'tablegram' );
		}
		/* translators: %d: a status code of HTTP. */
		return sprintf( __( 'The server answered %d.', 'tablegram' ), $code );
	}

	public static function signed( string $secret, string $body ): string {
		return base64_encode( hash_hmac( 'sha256', $body, $secret, true ) );
	}

	public function waiting(): int {
		global $wpdb;
		return (int) $wpdb->get_var( "SELECT COUNT(*) FROM {$wpdb->prefix}tablegram_outbox" );
	}

	private function run_at( int $when ): void {
		// WooCommerce brings a queue that outlives a request; WordPress's own is the second choice.
		if ( function_exists( 'as_schedule_single_action' ) ) {
			as_schedule_single_action( $when, self::RUN, array(), 'tablegram' );
		} elseif ( ! wp_next_scheduled( self::RUN ) ) {
			wp_schedule_single_event( $when, self::RUN );
		}
	}
}
