<?php
declare(strict_types=1);

require_once __DIR__ . '/bootstrap.php';

use PHPUnit\Framework\TestCase;
use Tablegram\Carts;
use Tablegram\Orders;
use Tablegram\Outbox;
use Tablegram\Settings;

final class PluginTest extends TestCase {
	private const HOOK   = 'https://messages.example/hooks/store/woocommerce/abc-DEF_1';
	private const FORM   = 'billing_first_name=Mert&billing_phone=0533+000+00+04&billing_country=TR';
	private Outbox $outbox;

	protected function setUp(): void {
		World::renew();
		$this->connect( self::HOOK, 'geheim' );
	}

	private function connect( string $url, string $secret ): void {
		World::$options = array( 'tablegram' => array( 'url' => $url, 'secret' => $secret, 'carts' => true ) );
		World::$hooks   = array();
		$settings       = new Settings();
		$this->outbox   = new Outbox( $settings );
		$carts          = new Carts( $settings, $this->outbox );
		$carts->listen();
		( new Orders( $this->outbox, $carts ) )->listen();
	}

	private function fill(): void {
		WC()->cart->add_to_cart( 7, 3, 0, array() );
	}

	/** @return list<string> */
	private function topics(): array {
		return array_map( fn( $one ) => $one['given']['headers']['X-WC-Webhook-Topic'], World::$posted );
	}

	/** @return array<string, mixed> */
	private function body( int $which ): array {
		return json_decode( World::$posted[ $which ]['given']['body'], true );
	}

	public function test_what_is_sent_is_signed_as_the_server_reads_it(): void {
		$this->outbox->add( 'checkout.updated', array( 'token' => 'ş/1' ) );
		$this->outbox->send_due();
		$given = World::$posted[0]['given'];
		$this->assertSame( '{"token":"ş/1"}', $given['body'] );
		$this->assertSame( base64_encode( hash_hmac( 'sha256', $given['body'], 'geheim', true ) ), $given['headers']['X-WC-Webhook-Signature'] );
		$this->assertSame( self::HOOK, World::$posted[0]['url'] );
		$this->assertSame( 0, $this->outbox->waiting() );
	}

	public function test_nothing_is_lost_and_nothing_overtakes_while_the_server_is_away(): void {
		foreach ( array( 0, 500, 401 ) as $answer ) {
			World::$answer = $answer;
			$this->outbox->add( 'order.updated', array( 'id' => $answer ) );
			$this->outbox->send_due();
		}
		$this->assertCount( 1, World::$posted, 'what failed waits before it is tried again' );
		$this->assertSame( 3, $this->outbox->waiting() );
		World::$answer = 200;
		$GLOBALS['wpdb']->query( 'UPDATE wp_tablegram_outbox SET due_at = 0' );
		$this->outbox->send_due();
		$this->assertSame( 0, $this->outbox->waiting() );
		$this->assertSame( array( 0, 0, 500, 401 ), array_map( fn( $one ) => json_decode( $one['given']['body'], true )['id'], World::$posted ) );
	}

	public function test_what_failed_is_run_again_ever_more_slowly(): void {
		World::$answer = 0;
		$this->outbox->add( 'order.updated', array( 'id' => 1 ) );
		$waits = array();
		for ( $try = 0; $try < 7; $try++ ) {
			$now = time();
			$this->outbox->send_due();
			$waits[] = (int) round( ( end( World::$runs ) - $now ) / 10 ) * 10;
			$GLOBALS['wpdb']->query( 'UPDATE wp_tablegram_outbox SET due_at = 0' );
		}
		$this->assertSame( array( 10, 60, 300, 900, 3600, 3600, 3600 ), $waits );
	}

	public function test_a_cart_is_told_once_somebody_can_be_reached_and_only_when_it_changes(): void {
		$this->fill();
		World::fire( 'woocommerce_cart_updated' );
		World::fire( 'woocommerce_checkout_update_order_review', 'billing_first_name=Mert' );
		$this->assertSame( 0, $this->outbox->waiting() );
		World::fire( 'woocommerce_checkout_update_order_review', self::FORM );
		World::fire( 'woocommerce_checkout_update_order_review', self::FORM );
		World::fire( 'woocommerce_cart_updated' );
		$this->fill();
		World::fire( 'woocommerce_cart_updated' );
		$this->outbox->send_due();
		$this->assertSame( array( 'checkout.created', 'checkout.updated' ), $this->topics() );
		$this->assertSame( $this->body( 0 )['token'], $this->body( 1 )['token'] );
		$this->assertSame( array( '36.00', '72.00' ), array( $this->body( 0 )['total'], $this->body( 1 )['total'] ) );
		$this->assertSame( '0533 000 00 04', $this->body( 0 )['billing']['phone'] );
	}

	public function test_consent_is_what_the_customer_said_last_and_absent_where_nobody_asked(): void {
		$this->fill();
		WC()->customer->set_billing_phone( '0533 000 00 04' );
		World::fire( 'woocommerce_store_api_cart_update_customer_from_request' );
		World::fire( 'woocommerce_checkout_update_order_review', self::FORM . '&tablegram_agreed=1' );
		World::fire( 'woocommerce_checkout_update_order_review', self::FORM );
		$this->outbox->send_due();
		$this->assertArrayNotHasKey( 'marketing_consent', $this->body( 0 ) );
		$this->assertTrue( $this->body( 1 )['marketing_consent'] );
		$this->assertFalse( $this->body( 2 )['marketing_consent'] );
	}

	public function test_an_order_ends_its_cart_and_is_told_once_a_request_as_it_is_in_the_end(): void {
		$this->fill();
		World::fire( 'woocommerce_checkout_update_order_review', self::FORM . '&tablegram_agreed=1' );
		$order = World::$shop->orders[41] = new WC_Order( 41 );
		World::fire( 'woocommerce_new_order', 41 );
		World::fire( 'woocommerce_checkout_order_processed', 41 );
		World::fire( 'woocommerce_cart_emptied' );
		$order->status = 'completed';
		$order->save();
		World::fire( 'shutdown' );
		World::fire( 'shutdown' );
		$this->outbox->send_due();
		$this->assertSame( array( 'checkout.created', 'checkout.completed', 'order.created' ), $this->topics() );
		$told = $this->body( 2 );
		$this->assertSame( array( 41, 'completed' ), array( $told['id'], $told['status'] ) );
		$this->assertSame( $this->body( 0 )['token'], $told['checkout_token'] );
		$this->assertTrue( $told['marketing_consent'] );
		$this->assertSame( 'tr_TR', $told['locale'] );
	}

	public function test_drafts_are_nobodys_business_and_deleted_orders_are_told(): void {
		World::$shop->orders[5] = new WC_Order( 5, 'checkout-draft' );
		World::fire( 'woocommerce_new_order', 5 );
		World::fire( 'woocommerce_trash_order', 6 );
		World::fire( 'shutdown' );
		$this->outbox->send_due();
		$this->assertSame( array( 'order.deleted' ), $this->topics() );
	}

	public function test_an_emptied_cart_is_told_and_forgotten(): void {
		$this->fill();
		World::fire( 'woocommerce_checkout_update_order_review', self::FORM );
		World::fire( 'woocommerce_cart_emptied' );
		World::fire( 'woocommerce_cart_emptied' );
		$this->outbox->send_due();
		$this->assertSame( array( 'checkout.created', 'checkout.deleted' ), $this->topics() );
	}

	public function test_settings_refuse_a_wrong_address_and_keep_the_secret(): void {
		$settings = new Settings();
		$this->assertSame( 'geheim', $settings->cleaned( array( 'url' => self::HOOK, 'secret' => ' ' ) )['secret'] );
		$this->assertSame( 'neu', $settings->cleaned( array( 'url' => self::HOOK, 'secret' => 'neu' ) )['secret'] );
		foreach ( array( 'https://messages.example', 'ftp://x/hooks/store/woocommerce/a', 'https://x/hooks/store/shopify/a', "https://x/hooks/store/woocommerce/a\nb" ) as $wrong ) {
			World::$wrong = array();
			$this->assertSame( self::HOOK, $settings->cleaned( array( 'url' => $wrong ) )['url'] );
			$this->assertCount( 1, World::$wrong );
		}
		World::$options = array();
		$this->outbox->add( 'order.updated', array( 'id' => 1 ) );
		$this->assertSame( 0, $this->outbox->waiting(), 'a plugin that is not set up yet keeps nothing' );
	}

	public function test_a_server_that_runs_takes_all_of_it(): void {
		$hook = getenv( 'TABLEGRAM_HOOK' );
		if ( ! $hook ) {
			$this->markTestSkipped( 'no server is named in TABLEGRAM_HOOK' );
		}
		$this->connect( $hook, (string) getenv( 'TABLEGRAM_SECRET' ) );
		World::$answer = -1;
		$this->fill();
		World::fire( 'woocommerce_checkout_update_order_review', self::FORM . '&tablegram_agreed=1' );
		World::$shop->orders[41] = new WC_Order( 41 );
		World::fire( 'woocommerce_new_order', 41 );
		World::fire( 'woocommerce_checkout_order_processed', 41 );
		World::fire( 'shutdown' );
		$this->outbox->send_due();
		$this->assertSame( 0, $this->outbox->waiting() );
		$this->connect( $hook, 'another' );
		$this->assertStringContainsString( 'secret is wrong', $this->outbox->post( 'order.updated', '{}' ) );
		$this->connect( $hook . 'x', 'another' );
		$this->assertStringContainsString( 'no such source', $this->outbox->post( 'order.updated', '{}' ) );
	}
}
